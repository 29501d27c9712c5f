"""Providers whose requests cannot be captured yet: said before the client starts."""

from collections.abc import Mapping

from inspector.errors import BadInput

_SWITCHES = {
    "CLAUDE_CODE_USE_BEDROCK": "Amazon Bedrock",
    "CLAUDE_CODE_USE_MANTLE": "Amazon Bedrock (Mantle)",
    "CLAUDE_CODE_USE_ANTHROPIC_AWS": "Claude Platform on AWS",
    "CLAUDE_CODE_USE_VERTEX": "Google Vertex AI",
    "CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD": "Claude on Google Cloud",
    "CLAUDE_CODE_USE_FOUNDRY": "Microsoft Foundry",
}
"""Claude Code's switches, in its environment or the `env` of its settings."""

_ON = frozenset({"1", "true", "yes", "on"})


def refuse(client: str, env: Mapping[str, str]) -> None:
    """Raise `BadInput` where the environment sends a client to a provider we cannot capture."""
    if client != "claude-code":
        return
    for name, provider in _SWITCHES.items():
        if env.get(name, "").strip().lower() in _ON:
            raise BadInput(
                f"{provider}: not captured yet ({name} is set); unset it to use the default host,"
                " or import what another tool captured with `inspector import`"
            )
