"""Which client sent a request, read from its user agent."""

import re
from dataclasses import dataclass

_AGENT = re.compile(r"^(claude-cli|codex[A-Za-z_-]*)/(\d[0-9A-Za-z.+-]*)")


@dataclass(frozen=True, slots=True)
class Agent:
    """A coding agent and its release, as it calls itself."""

    client: str
    version: str


def agent(user_agent: str) -> Agent | None:
    """The agent a user agent names; None for any other program.

    `claude-cli/2.1.332 (external, sdk-cli)`, `codex_exec/0.171.0 (Debian 12.0.0; x86_64) …`
    [claude-code 2.1.332, fp_basic; codex 0.171.0, base].
    """
    found = _AGENT.match(user_agent)
    if found is None:
        return None
    return Agent("claude-code" if found[1] == "claude-cli" else "codex", found[2])


def interactive(user_agent: str) -> bool:
    """Whether an agent says that a person types to it: a process may then hold several chats.

    `claude-cli/2.1.332 (external, cli)` and not `sdk-cli` [claude-code 2.1.332,
    interactive_basic]; any Codex but `codex_exec` [codex 0.171.0, base].
    """
    return "(external, cli" in user_agent or (
        user_agent.startswith("codex") and not user_agent.startswith("codex_exec")
    )
