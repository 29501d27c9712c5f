"""Wire literals and long texts of the profile with texts put into their holes."""

import re

from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, join, text

_HOLE = re.compile(r"\{(\w+|text:[\w.-]+)\}")
_TEXT = re.compile(r"\{(text:[\w.-]+)\}")


def fact(name: str, value: str) -> Text:
    """An environment fact as text."""
    return text(value, Origin(Kind.FACT, name))


def computed(value: str, name: str = "client") -> Text:
    """Something the client works out itself."""
    return text(value, Origin(Kind.COMPUTED, name))


def adopted(reason: str) -> Text:
    """A place whose words this model cannot make."""
    return text("⟦adopted⟧", Origin(Kind.ADOPTED, reason))


def phrase(profile: Profile, name: str, /, **holes: Text) -> Text:
    """The literal `name` with its holes filled; the origins of what fills them are kept."""
    string = profile.literals[name]
    # Long texts that an account's flags put into a literal (`learn --from`).
    if "{text:" in string:
        texts = {found[1]: profile.known(found[1][5:]) for found in _TEXT.finditer(string)}
        holes = {**holes, **texts}
    return filled(string, name, **holes)


def filled(string: str, name: str, /, **holes: Text) -> Text:
    """A wire literal, called `name`, with its holes filled."""
    origin = Origin(Kind.LITERAL, name)
    out, done = EMPTY, 0
    for match in _HOLE.finditer(string):
        if match[1] in holes:
            out += text(string[done : match.start()], origin) + holes[match[1]]
            done = match.end()
    return out + text(string[done:], origin)


def template(profile: Profile, name: str, /, **holes: Text) -> Text:
    """A text with holes: known texts, literals and values one after the other."""
    out = EMPTY
    for part in profile.templates[name]:
        kind, _, rest = part.partition(":")
        if kind == "text":
            out += profile.known(rest)
        elif kind == "literal":
            out += phrase(profile, rest, **holes)
        else:
            out += holes[part.strip("{}")]
    return out


def paragraphs(parts: list[Text]) -> Text:
    """Texts with an empty line between them."""
    return join(text("\n\n", Origin(Kind.STRUCTURE, "paragraph")), parts)


def telling(profile: Profile, parts: list[Text]) -> Text:
    """What a system-role message says: each part plain, or in a wrapper of its own.

    Sonnet 5 is told in such messages too, yet knows of wrappers alone (`models_more`).
    """
    wrapped = profile.switches["told"] == "wrapped"
    return paragraphs([reminder(profile, part) for part in parts] if wrapped else parts)


def lines(parts: list[Text]) -> Text:
    """Texts one a line."""
    return join(text("\n", Origin(Kind.STRUCTURE, "line")), parts)


def bare(profile: Profile, wrapped: Text) -> Text:
    """A text without the client's reminder wrapper, where it stands in one."""
    start, _, end = profile.literals["reminder"].partition("{text}")
    string = str(wrapped)
    inside = string.startswith(start) and string.endswith(end)
    return wrapped[len(start) : len(wrapped) - len(end)] if inside else wrapped


def reminder(profile: Profile, inside: Text) -> Text:
    """A text inside the client's reminder wrapper."""
    return phrase(profile, "reminder", text=inside)
