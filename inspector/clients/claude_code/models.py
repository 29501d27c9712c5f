"""The model a name means, where the environment says which one of a family to take."""

from inspector.workspace import Environment

_FAMILIES = {
    "": "OPUS",
    "opus": "OPUS",
    "opus[1m]": "OPUS",
    "best": "OPUS",
    "sonnet": "SONNET",
    "sonnet[1m]": "SONNET",
    "haiku": "HAIKU",
    "fable": "FABLE",
}
"""By what people write; who writes nothing gets the first (`models_named`)."""


def named(environment: Environment, name: str) -> str:
    """The model a name means: `ANTHROPIC_DEFAULT_OPUS_MODEL` and the like decide for a family."""
    family = _FAMILIES.get(name)
    return environment.env.get(f"ANTHROPIC_DEFAULT_{family}_MODEL") or name if family else name
