"""The client's command line and environment switches, as one value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from inspector.workspace import Environment

_ALIASES = {
    "-p": "--print",
    "-c": "--continue",
    "-r": "--resume",
    "-w": "--worktree",
    "-d": "--debug",
    "-n": "--name",
    "--allowed-tools": "--allowedTools",
    "--disallowed-tools": "--disallowedTools",
    "--append-system-prompt-file": "--append-system-prompt-file",
}
_LISTS = frozenset(
    {
        "--add-dir",
        "--allowedTools",
        "--disallowedTools",
        "--tools",
        "--mcp-config",
        "--betas",
        "--plugin-dir",
    }
)
_VALUES = frozenset(
    {
        "--agent",
        "--agents",
        "--append-system-prompt",
        "--append-system-prompt-file",
        "--autocompact",
        "--effort",
        "--fallback-model",
        "--input-format",
        "--json-schema",
        "--max-budget-usd",
        "--max-thinking-tokens",
        "--max-turns",
        "--model",
        "--name",
        "--output-format",
        "--permission-mode",
        "--permission-prompt-tool",
        "--session-id",
        "--setting-sources",
        "--settings",
        "--system-prompt",
        "--system-prompt-file",
        "--thinking",
    }
)
_MAYBE = frozenset({"--resume", "--worktree", "--debug", "--from-pr"})

SWITCHES = (
    "ANTHROPIC_BASE_URL",
    "ANTHROPIC_BETAS",
    "ANTHROPIC_DEFAULT_FABLE_MODEL",
    "ANTHROPIC_DEFAULT_HAIKU_MODEL",
    "ANTHROPIC_DEFAULT_OPUS_MODEL",
    "ANTHROPIC_DEFAULT_SONNET_MODEL",
    "ANTHROPIC_MODEL",
    "BASH_DEFAULT_TIMEOUT_MS",
    "BASH_MAX_TIMEOUT_MS",
    "CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS",
    "CLAUDE_AGENT_SDK_VERSION",
    "CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR",
    "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD",
    "CLAUDE_CODE_ATTRIBUTION_HEADER",
    "CLAUDE_CODE_DISABLE_1M_CONTEXT",
    "CLAUDE_CODE_DISABLE_ADAPTIVE_THINKING",
    "CLAUDE_CODE_DISABLE_ATTACHMENTS",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY",
    "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS",
    "CLAUDE_CODE_DISABLE_BUNDLED_SKILLS",
    "CLAUDE_CODE_DISABLE_CLAUDE_MDS",
    "CLAUDE_CODE_DISABLE_CRON",
    "CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS",
    "CLAUDE_CODE_DISABLE_EXPLORE_PLAN_AGENTS",
    "CLAUDE_CODE_DISABLE_FEATURE_FLAGS",
    "CLAUDE_CODE_DISABLE_FILE_MENTIONS",
    "CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS",
    "CLAUDE_CODE_DISABLE_LEGACY_MODEL_REMAP",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    "CLAUDE_CODE_DISABLE_THINKING",
    "CLAUDE_CODE_DISABLE_ULTRATHINK",
    "CLAUDE_CODE_DISABLE_WEB_FETCH",
    "CLAUDE_CODE_DISABLE_WORKFLOWS",
    "CLAUDE_CODE_EFFORT_LEVEL",
    "CLAUDE_CODE_ENABLE_TASKS",
    "CLAUDE_CODE_ENABLE_TODO_TOOLS",
    "CLAUDE_CODE_ENABLE_TOKEN_USAGE_ATTACHMENT",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS",
    "CLAUDE_CODE_EXTRA_BODY",
    "CLAUDE_CODE_EXTRA_METADATA",
    "CLAUDE_CODE_FORCE_MID_CONVERSATION_SYSTEM",
    "CLAUDE_CODE_HIDE_CWD",
    "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
    "CLAUDE_CODE_PROMPT_CACHE_TTL",
    "CLAUDE_CODE_RESTRICTED",
    "CLAUDE_CODE_SHELL",
    "CLAUDE_CODE_SILENT_TURN_REMINDER",
    "CLAUDE_CODE_SIMPLE",
    "CLAUDE_CODE_SIMPLE_SYSTEM_PROMPT",
    "CLAUDE_CODE_TODO_REMINDER_MODE",
    "CLAUDE_CODE_TOTAL_TOKENS_REMINDER",
    "CLAUDE_CODE_TOTAL_TOKENS_REMINDER_AFTER_USER_TURN",
    "CLAUDE_CODE_TOTAL_TOKENS_REMINDER_BUDGET",
    "CLAUDE_CONFIG_DIR",
    "DISABLE_COMPACT",
    "DISABLE_GROWTHBOOK",
    "DISABLE_INTERLEAVED_THINKING",
    "DISABLE_MICROCOMPACT",
    "DISABLE_PROMPT_CACHING",
    "DISABLE_PROMPT_CACHING_FABLE",
    "DISABLE_PROMPT_CACHING_HAIKU",
    "DISABLE_PROMPT_CACHING_OPUS",
    "DISABLE_PROMPT_CACHING_SONNET",
    "DISABLE_TELEMETRY",
    "DO_NOT_TRACK",
    "ENABLE_PROMPT_CACHING_1H",
    "ENABLE_PROMPT_CACHING_1H_BEDROCK",
    "CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS",
    "ENABLE_TOOL_SEARCH",
    "FORCE_PROMPT_CACHING_5M",
    "GITHUB_ACTOR",
    "MAX_MCP_OUTPUT_TOKENS",
    "MAX_THINKING_TOKENS",
    "SLASH_COMMAND_TOOL_CHAR_BUDGET",
    "USE_API_CONTEXT_MANAGEMENT",
    "USER",
    "USERNAME",
    "WSL_DISTRO_NAME",
    "WSL_INTEROP",
)
"""Environment variables that change what is sent; none of them holds a secret."""

UNMODELLED = (
    "CLAUDE_CODE_DISABLE_LEGACY_MODEL_REMAP",
    "CLAUDE_CODE_ENABLE_TODO_TOOLS",
    "CLAUDE_CODE_ENABLE_TOKEN_USAGE_ATTACHMENT",
    "CLAUDE_CODE_SILENT_TURN_REMINDER",
    "CLAUDE_CODE_TODO_REMINDER_MODE",
)
"""Of these the ones that change requests of the client and not yet ours (2.1.332)."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says."""

    values: Mapping[str, str] = field(default_factory=dict[str, str])
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    flags: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    """Arguments that belong to no flag; the first one is the prompt."""

    def value(self, name: str) -> str | None:
        """The value of a flag, the last one given."""
        return self.values.get(name)

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of a flag that takes several."""
        return self.lists.get(name, ())

    @property
    def printing(self) -> bool:
        """Whether the client runs without a terminal (`-p`)."""
        return "--print" in self.flags

    @property
    def resumes(self) -> bool:
        """Whether an earlier conversation goes on."""
        return "--continue" in self.flags or "--resume" in self.flags


def options(argv: Sequence[str]) -> Options:
    """Read a command line as the client does."""
    values: dict[str, str] = {}
    lists: dict[str, tuple[str, ...]] = {}
    flags: set[str] = set()
    words: list[str] = []
    left = list(argv)
    while left:
        word = left.pop(0)
        if not word.startswith("-") or word == "-":
            words.append(word)
            continue
        if word == "--":
            words.extend(left)
            break
        name, given, inline = word.partition("=")
        name = _ALIASES.get(name, name)
        flags.add(name)
        if name in _LISTS:
            lists[name] = (*lists.get(name, ()), *_list(left, inline if given else None))
        elif name in _VALUES or (name in _MAYBE and left and not left[0].startswith("-")):
            values[name] = inline if given else (left.pop(0) if left else "")
    return Options(values, lists, frozenset(flags), tuple(words))


def _list(left: list[str], inline: str | None) -> list[str]:
    if inline is not None:
        return [inline]
    out: list[str] = []
    while left and not left[0].startswith("-"):
        out.append(left.pop(0))
    return out


def on(environment: Environment, name: str) -> bool:
    """Whether an environment switch is set to something the client takes for yes."""
    return environment.env.get(name, "").strip().lower() in {"1", "true", "yes", "on"}


def off(environment: Environment, name: str) -> bool:
    """Whether an environment switch is set to something the client takes for no."""
    return environment.env.get(name, "").strip().lower() in {"0", "false", "no", "off"}


def number(environment: Environment, name: str) -> int | None:
    """The whole number a switch is set to; none where it is no number."""
    given = environment.env.get(name, "").strip()
    return int(given) if given.isascii() and given.isdigit() else None


def names(entries: Sequence[str]) -> tuple[str, ...]:
    """Tool rules from a list flag: commas and blanks part them, but not inside parentheses."""
    out: list[str] = []
    for entry in entries:
        depth, current = 0, ""
        for char in entry:
            depth += (char == "(") - (char == ")")
            if char in ", " and depth == 0:
                out.append(current)
                current = ""
            else:
                current += char
        out.append(current)
    return tuple(name for name in out if name)
