"""`metadata.user_id`: who sends a request, as JSON inside a string."""

from inspector.clients.claude_code.state import Process
from inspector.jsontext import Number, dumps, javascript_number, javascript_order, loads, quote
from inspector.text import EMPTY, Kind, Origin, Text, text
from inspector.workspace import Environment

_EXTRA = "CLAUDE_CODE_EXTRA_METADATA"
_ORIGIN = Origin(Kind.LITERAL, "metadata")


def user_id(process: Process, environment: Environment) -> Text:
    """Members of the user's own, then the client's, which win (`switches_headers`)."""
    members = _own(environment)
    for name, value in (
        ("device_id", process.device),
        ("account_uuid", process.account),
        ("session_id", process.session),
    ):
        members[name] = text('"', _ORIGIN) + value + text('"', _ORIGIN)
    out = EMPTY
    for name, value in members.items():
        lead = "," if out else "{"
        out += text(f"{lead}{quote(name)}:", _ORIGIN) + value
    return out + text("}", _ORIGIN)


def _own(environment: Environment) -> dict[str, Text]:
    """The members that an environment variable adds; what is no object is ignored."""
    try:
        found = loads(environment.env.get(_EXTRA, ""))
    except ValueError:
        return {}
    if not isinstance(found, dict):
        return {}
    origin = Origin(Kind.FACT, _EXTRA)
    return {
        name: text(dumps(found[name], number=javascript_number, order=javascript_order), origin)
        for name in javascript_order(found)
        # Nothing but strings, numbers and truth values comes through.
        if isinstance(found[name], str | Number | bool)
    }
