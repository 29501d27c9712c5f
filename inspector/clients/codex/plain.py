"""JSON values of one origin."""

from inspector.jsontext import JSON, dumps, serde_number
from inspector.text import Kind, Origin, Raw, Value, text

UNKNOWN = "the client's answer has a form that this model of it does not know"


def adopted(value: JSON) -> Value:
    """A value taken over whole: its texts and numbers count against us."""
    origin = Origin(Kind.ADOPTED, UNKNOWN)
    if isinstance(value, str):
        return text(value, origin)
    if isinstance(value, list):
        return [adopted(item) for item in value]
    if isinstance(value, dict):
        return {key: adopted(item) for key, item in value.items()}
    return Raw(dumps(value, number=serde_number), origin)


def plain(value: JSON, origin: Origin) -> Value:
    """A JSON value of one origin."""
    if isinstance(value, str):
        return text(value, origin)
    if isinstance(value, bool) or value is None:
        return value
    return Raw(dumps(value, number=serde_number), origin)
