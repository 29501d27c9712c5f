"""What a rule found, and in which order findings are told."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding matters; from `warning` on it fails a check."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    @property
    def fails(self) -> bool:
        """Whether a check ends with 1 for it."""
        return self is not Severity.INFO


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that an author of rules, skills or servers may want to know."""

    rule: str
    severity: Severity
    message: str
    path: str
    """The file, or `mcp SERVER` and `mcp SERVER/TOOL` for what a server says."""
    line: int | None = None
    """From 1; None where no one line is meant."""
    name: str = ""
    """What the user calls the thing."""
    chars: int = 0
    """Code points of the file that are in a request; 0 where none are, or that is not known."""
    versions: tuple[str, ...] = ()
    """Versions of the client it was found for."""

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes it the same finding tomorrow: not its line, which moves."""
        return self.rule, self.path, self.name
