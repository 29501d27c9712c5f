"""How many bytes a token has in a session, by its own usage."""

from pathlib import Path

from inspector import named
from inspector.diff import Rate, calibrated
from inspector.errors import BadInput
from inspector.session import Recording
from inspector.views import conversations


def rate(recording: Recording) -> Rate:
    """What the API's counts of a session's main requests come to."""
    counted = ((item.prompt, item.usage) for item in conversations.requests(recording))
    return calibrated(
        (len(prompt.body), usage.read + usage.write + usage.plain)
        for prompt, usage in counted
        if usage is not None
    )


def recording_of(name: str, store: Path) -> Recording | None:
    """The session that a command names, or that holds the request it names; None for a file."""
    if Path(name).is_file():
        return None
    try:
        return named.find(name, store).recording
    except BadInput:
        return named.holding(name, named.find_exchange(name, store), store)


def rate_of(recording: Recording | None) -> Rate:
    """The rate of a session; the rule of thumb where there is none."""
    return Rate() if recording is None else rate(recording)
