"""What stands for a model while a command runs: its server, and when the command is to end."""

from contextlib import AbstractContextManager
from typing import Protocol

from inspector.capture.start import Setting
from inspector.session import Snapshot


class Answering(Protocol):
    """A server that stands for a model while a command runs."""

    @property
    def url(self) -> str:
        """Where it is."""
        ...

    def began(self, taken: Snapshot) -> None:
        """Told what the client can read, before it starts."""
        ...

    def over(self) -> bool:
        """Whether the command is to be ended."""
        ...


class Answers(Protocol):
    """What gives such a server."""

    def serving(self, given: Setting) -> AbstractContextManager[Answering]:
        """Serve for a command that is about to start."""
        ...
