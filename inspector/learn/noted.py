"""Profiles that note which of their values are read: what was not read cannot have mattered."""

from collections.abc import ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from typing import Any

from inspector.learn.draft import Key
from inspector.profiles import Profile

_SECTIONS = (
    "literals",
    "lists",
    "limits",
    "switches",
    "texts",
    "templates",
    "masks",
    "slots",
    "regions",
    "params",
    "values",
)
_NONE = object()


class Reads:
    """The names that were read of each section of a profile."""

    def __init__(self, profile: Profile) -> None:
        self._given = profile
        self._sections = {name: _Noted(getattr(profile, name)) for name in _SECTIONS}
        self.profile = profile.model_copy(update=self._sections)

    def same(self, other: Profile) -> bool:
        """Whether another profile has the same values for all that was read."""
        return other is self._given or all(
            _same(section, getattr(other, name)) for name, section in self._sections.items()
        )

    def any_of(self, keys: Sequence[Key]) -> bool:
        """Whether one of these values was read."""
        for section, name, *_ in keys:
            noted = self._sections.get(section)
            if noted is None or noted.whole or name in noted.names:
                return True
        return False


class _Noted(dict[str, Any]):
    """A section that notes which of its names are asked for."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        super().__init__(values)
        self.given = values
        self.names = set[str]()
        self.whole = False

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - as in a dict
        self.names.add(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        self.names.add(str(name))
        return super().__contains__(name)

    def get(self, name: str, default: Any = None) -> Any:  # noqa: ANN401 - as above
        self.names.add(name)
        return super().get(name, default)

    def __iter__(self) -> Iterator[str]:
        self.whole = True
        return super().__iter__()

    def keys(self) -> KeysView[str]:  # type: ignore[override]
        self.whole = True
        return super().keys()

    def values(self) -> ValuesView[Any]:  # type: ignore[override]
        self.whole = True
        return super().values()

    def items(self) -> ItemsView[str, Any]:  # type: ignore[override]
        self.whole = True
        return super().items()


def _same(noted: _Noted, other: Mapping[str, Any]) -> bool:
    if noted.whole:
        return noted.given == other
    given = noted.given
    return all(given.get(name, _NONE) == other.get(name, _NONE) for name in noted.names)
