"""Why something of the user's is not in the request: one type for all kinds, for `explain`."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

type Kind = Literal[
    "agent", "command", "import", "permission", "rule", "server", "settings", "skill", "style"
]


class Reason(StrEnum):
    """Why; `WORDS` says each in a clause, and what `LeftOut.detail` is."""

    ABSENT = "absent"
    BESIDE_A_PACK = "beside-a-pack"
    CIRCLE = "circle"
    CUT = "cut"
    DENIED = "denied"
    DUPLICATE = "duplicate"
    EMPTY = "empty"
    EXCLUDED = "excluded"
    FOLDER = "folder"
    FOR_PEOPLE_ONLY = "for-people-only"
    LEADS_NOWHERE = "leads-nowhere"
    LINK_OUTSIDE = "link-outside"
    MALFORMED = "malformed"
    MEMORY_OFF = "memory-off"
    MISPLACED = "misplaced"
    NAME_ONLY = "name-only-by-setting"
    NAME_REFUSED = "name-refused"
    NAME_RESERVED = "name-reserved"
    NAME_TAKEN = "name-taken"
    NAMES_NOTHING = "names-nothing"
    NO_FILE = "no-file"
    NO_JSON = "no-json"
    NO_MARKDOWN = "no-markdown"
    NO_SKILL_FILE = "no-skill-file"
    NO_TEXT_FILE = "no-text-file"
    NOT_IN_A_FOLDER = "not-in-a-folder"
    OUTSIDE = "outside"
    OVER_BUDGET = "over-budget"
    PEOPLE_ONLY = "people-only-by-setting"
    REPEATED = "repeated"
    SOURCE_OFF = "source-off"
    SWITCHED_OFF = "switched-off"
    TOO_DEEP = "too-deep"
    TOO_LARGE = "too-large"
    UNREADABLE = "unreadable"
    UNTRUSTED = "untrusted"
    WAITS = "waits-for-a-file"


_OUTSIDE = "lies outside the working directory, and nobody allowed that"
WORDS: Mapping[Reason, str] = {
    Reason.ABSENT: "there is no such file",
    Reason.BESIDE_A_PACK: "a SKILL.md stands beside it",
    Reason.CIRCLE: "its links lead in a circle",
    Reason.CUT: "the end of its description is left out",
    Reason.DENIED: "a permission rule denies reading it",
    Reason.DUPLICATE: "the same file was reached as {detail}",
    Reason.EMPTY: "there is no text in it",
    Reason.EXCLUDED: "the setting claudeMdExcludes names it",
    Reason.FOLDER: "a folder, not a file",
    Reason.FOR_PEOPLE_ONLY: "disable-model-invocation keeps it from the model",
    Reason.LEADS_NOWHERE: "it leads nowhere or is no file",
    Reason.LINK_OUTSIDE: f"it is a link, and it {_OUTSIDE}",
    Reason.MALFORMED: "{detail}",
    Reason.MEMORY_OFF: "memory is switched off for this session",
    Reason.MISPLACED: "the client reads {detail}",
    Reason.NAME_ONLY: "the setting skillOverrides leaves it its name only",
    Reason.NAME_REFUSED: "the client takes no such name",
    Reason.NAME_RESERVED: "the client keeps that name for itself",
    Reason.NAME_TAKEN: "another one has its name: {detail}",
    Reason.NAMES_NOTHING: "it names nothing: {detail}",
    Reason.NO_FILE: "a pipe, socket or device, not a file",
    Reason.NO_JSON: "no JSON object{detail}",
    Reason.NO_MARKDOWN: "its name does not end in .md",
    Reason.NO_SKILL_FILE: "there is no SKILL.md in the folder",
    Reason.NO_TEXT_FILE: "its name does not end like a text file's",
    Reason.NOT_IN_A_FOLDER: "a skill is a folder with a SKILL.md in it",
    Reason.OUTSIDE: f"it {_OUTSIDE}",
    Reason.OVER_BUDGET: "the listing is over its budget: only its name is told",
    Reason.PEOPLE_ONLY: "the setting skillOverrides keeps it from the model",
    Reason.REPEATED: "the same file is in the request already",
    Reason.SOURCE_OFF: "settings and memory of the source {detail} are not read",
    Reason.SWITCHED_OFF: "a setting switches it off",
    Reason.TOO_DEEP: "it is imported through more than four files",
    Reason.TOO_LARGE: "it is larger than {detail} bytes",
    Reason.UNREADABLE: "it cannot be read",
    Reason.UNTRUSTED: (
        "a project may permit this only where somebody accepted the client's question of trust"
    ),
    Reason.WAITS: "it waits until a file is touched that matches {detail}",
}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One file or entry that did not land, or not wholly."""

    kind: Kind
    name: str
    """What the user would call it."""
    path: str
    """Where it stands: a file, or the option of the command line."""
    reason: Reason
    detail: str = ""

    @property
    def words(self) -> str:
        """The reason as one clause, without the path."""
        return WORDS[self.reason].replace("{detail}", self.detail)
