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


def rate_of(name: str, store: Path) -> Rate:
    """The same of what a command names, a session or a request; of a file the rule of thumb."""
    if Path(name).is_file():
        return Rate()
    try:
        recording = named.find(name, store).recording
    except BadInput:
        recording = named.holding(name, named.find_exchange(name, store), store)
    return rate(recording)
