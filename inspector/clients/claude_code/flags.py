"""The long options of the client and its subcommands, hidden ones too; it ends at any other."""

VERSION = "2.1.332"
"""The version whose options these are; of others nobody listed them."""

_NAMES = """
ablation accept-command add-dir advisor agent agent-color agent-id agent-name agent-type agents
agents-view-if-allowed all allow-dangerously-skip-permissions allow-other-models
allow-real-servers allow-tools allowed-tools allowedTools append-subagent-system-prompt
append-subagent-system-prompt-file append-system-prompt append-system-prompt-file attach-serve
author author-email autocompact available await-claim await-initialize ax-screen-reader background
bare betas bg brief callback-port case channels chrome claudeai client-data-url client-id
client-secret cloud concurrency config console continue correlation-id cowork cwd
dangerously-load-development-channels dangerously-skip-permissions data-size debug debug-file
debug-to-stderr deep-link-cwd-b deep-link-last-fetch deep-link-origin deep-link-repo description
desktop disable-slash-commands disallow-tools disallowed-tools disallowedTools discard dry-run
effort email enable-auth-status enable-auto-mode env environment eval-dir event
exclude-dynamic-system-prompt-sections fallback-model fast-mode file force fork-session
forward-home-settings forward-subagent-text from-link from-pr gateway-json help
hold-repository-while-parked host-auth-is-org-sign-in id-token ide include-hook-events
include-partial-messages include-unsupported-models inherit-permission-mode init init-only
initialize-fields input-format interactive interview json json-schema judge-model keep-data
keep-temp label lead-verify-key list maintenance managed-settings managed-settings-in-initialize
marketplace max-budget-usd max-cost max-cost-usd max-thinking-tokens max-turns mcp-config message
messaging-socket-path metadata mocks model name no-browser no-chrome no-post no-publish
no-scaffold no-session-persistence on-branch organization-gateway output output-dir output-format
parent-session-id path permission-mode permission-prompt-tool permission-prompts
plan-mode-instructions plan-mode-required plugin-dir plugin-dir-no-mcp plugin-url pool port post
prefill prefill-b print proactivity profile project-config-root prompt-suggestions prune
publish-report push rc ref remote remote-control remote-control-session-name-prefix replace
replay-user-messages reply-on-resume report resolve-only restricted result-format resume
resume-drops-turn resume-session-at review-md rewind-files runner-declares runs safe-mode scaffold
scope sdk-url session-began-as-copy session-id session-mirror session-tunnel setting-sources
settings sparse sso status strict strict-mcp-config system-prompt system-prompt-file
system-prompt-snapshot tag task-budget team-name teammate-mode teleport text thinking
thinking-display threshold timeout tmux tools transport trust-plugin trust-workspace
trusted-folder values-stdin verbose version watch-artifact watch-artifact-no-autoreact web with
workload worktree xaa yes
"""

FLAGS = frozenset(f"--{name}" for name in _NAMES.split())
