"""Output styles: the one in use, and what the client lists of them."""

from collections.abc import Iterator
from dataclasses import dataclass

from inspector.clients.claude_code.core_yaml import key_text
from inspector.clients.claude_code.frontmatter import Document, document
from inspector.clients.claude_code.javascript import decode, sliced, trim, units
from inspector.clients.claude_code.looking import kept, markdown
from inspector.clients.claude_code.phrase import computed, lines, phrase
from inspector.clients.claude_code.settings import Settings
from inspector.clients.claude_code.shown import visible
from inspector.clients.claude_code.skillfile import LINE, first_line, said_of
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, text
from inspector.workspace import Environment, Tree, World

_KEEPS = "keep-coding-instructions"
_DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Style:
    """An output style in use."""

    name: Text
    body: Text
    coding: bool = True
    """Whether the client's own instructions for coding stay."""
    shipped: bool = False
    """Whether the client brought it along."""


@dataclass(frozen=True, slots=True)
class _Own:
    name: Text
    file: Text
    """The file's name without its ending."""
    front: Document


def chosen(
    profile: Profile, tree: Tree, environment: Environment, settings: Settings
) -> Style | None:
    """The style the settings name; None for the default one."""
    name = current(settings)
    if name == _DEFAULT:
        return None
    if name in profile.lists["styles"]:
        said = text(name, Origin(Kind.COMPUTED, "style"))
        return Style(said, profile.known(f"style.{name}"), shipped=True)
    found = next((one for one in _own(tree, environment) if str(one.name) == name), None)
    if found is None:
        return None
    coding = found.front.values.get(_KEEPS) in {True, "true"}
    return Style(found.name, trim(found.front.body), coding)


def listed(profile: Profile, world: World, settings: Settings) -> Text:
    """Every style a line, as `/output-style` puts them out [2.1.332, local_outputs]."""
    made = {name: (computed(name, "style"), _told(profile, name)) for name in _shipped(profile)}
    for one in reversed([*_own(world.tree, world.environment)]):
        made[str(one.name)] = (one.name, _said(profile, one))
    now = current(settings)
    return lines([_line(profile, *line, now=name == now) for name, line in made.items()])


def names(profile: Profile, world: World) -> list[Text]:
    """The name of every style, in the listing's order."""
    own = {str(one.name): one.name for one in reversed([*_own(world.tree, world.environment)])}
    shipped = {name: computed(name, "style") for name in _shipped(profile)}
    return [*(shipped | own).values()]


def named(profile: Profile, world: World, name: str) -> Text | None:
    """The name of the style somebody means who types it."""
    typed = name.strip().lower()
    return next((one for one in names(profile, world) if str(one).lower() == typed), None)


def current(settings: Settings) -> str:
    """The name of the style the settings ask for."""
    name = settings.get("outputStyle")
    return name if isinstance(name, str) and name else _DEFAULT


def _shipped(profile: Profile) -> tuple[str, ...]:
    return (_DEFAULT, *profile.lists["styles"])


def _told(profile: Profile, name: str) -> Text:
    return EMPTY if name == _DEFAULT else profile.known(f"style.said.{name}")


def _line(profile: Profile, name: Text, said: Text, *, now: bool) -> Text:
    mark = phrase(profile, "style.current") if now else EMPTY
    if not said:
        return phrase(profile, "style.line.bare", name=name, current=mark)
    return phrase(profile, "style.line", name=name, current=mark, description=said)


def _said(profile: Profile, one: _Own) -> Text:
    front = one.front
    said = said_of(front.values.get("description")) or first_line(str(front.body))
    if said is None:
        return phrase(profile, "style.undescribed", name=one.file)
    made = text(visible(said), one.file.pieces[0].origin)
    long = said_of(front.values.get("description")) is None and units(said) > LINE
    return sliced(made, LINE - 3) + computed("...", "description") if long else made


def _own(tree: Tree, environment: Environment) -> Iterator[_Own]:
    """The user's styles, the nearest first."""
    for root in (f"{environment.cwd}/.claude", environment.config_home):
        for path in sorted(markdown(tree, f"{root}/output-styles"), reverse=True):
            data = kept(tree, path)
            if data is None:
                continue
            origin = Origin(Kind.FILE, path)
            front = document(text(decode(data), origin))
            file = text(path.rpartition("/")[2].removesuffix(".md"), origin)
            name = front.values.get("name")
            yield _Own(file if name is None else text(key_text(name), origin), file, front)
