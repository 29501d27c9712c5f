"""A profile while it is being learned: the known one's layers, edited where the client differs.

Rule: a value is changed in the layer it came from, so that what was never probed (other modes,
other models) keeps its own; only where probed points that shared one layer differ is a new overlay
made.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from inspector.profiles import Profile

type Key = tuple[str, ...]
"""Section and name, and a name inside it: `("texts", "system.tail")`."""
type Axes = Mapping[str, str]
type When = dict[str, list[str]]

_MISSING = object()
SPLIT = ("host", "traffic", "model")
"""Axes that tell probed points apart, in the order they are tried."""


@dataclass(slots=True)
class Layer:
    """A base or an overlay: what it sets where its axes match.

    Its values are shared between drafts: a change makes new ones, as far as it reaches.
    """

    when: When
    values: Mapping[str, Any]
    more: dict[str, Any] = field(default_factory=dict[str, Any])
    """`drop` and `add`: what it does to lists."""

    def matches(self, axes: Axes) -> bool:
        """Whether it applies to a point."""
        return all(axes.get(axis) in wanted for axis, wanted in self.when.items())


@dataclass(frozen=True, slots=True)
class _Found:
    """What depends on the layers' axes alone: drafts that have the same share it."""

    layers: dict[frozenset[tuple[str, str]], tuple[int, ...]]
    """The layers that apply, by point."""
    classes: dict[str, tuple[int, ...]]
    """The layers that name a model."""


@dataclass(slots=True)
class Draft:
    """The layers of a profile, flattened, and the keys that were changed."""

    layers: list[Layer]
    changed: set[Key] = field(default_factory=set[Key])
    parent: "Draft | None" = None
    """The draft this one was copied from; it is not changed any more."""
    since: set[Key] = field(default_factory=set[Key])
    """The keys that were set after that."""
    resolved: dict[str, Profile] = field(default_factory=dict[str, Profile])
    """The values at points that were asked for."""
    _found: "_Found" = field(default_factory=lambda: _Found({}, {}))

    @classmethod
    def of(cls, documents: Sequence[Mapping[str, Any]]) -> "Draft":
        """The layers of a profile's documents, the oldest parent first."""
        layers: list[Layer] = []
        for document in documents:
            layers.append(Layer({}, document.get("base", {})))
            for overlay in document.get("overlays", ()):
                more = {name: overlay[name] for name in ("drop", "add") if name in overlay}
                layers.append(Layer(dict(overlay["when"]), overlay["set"], more))
        return cls(layers)

    def copy(self) -> "Draft":
        """Another draft that can be changed apart."""
        layers = [Layer(layer.when, layer.values, layer.more) for layer in self.layers]
        return Draft(layers, set(self.changed), self, _found=self._found)

    def document(self) -> dict[str, Any]:
        """The whole profile as one document."""
        return {"base": {}, "overlays": [_overlay(layer) for layer in self.layers]}

    def delta(self, parent: str) -> dict[str, Any]:
        """A document that extends the known profile with what was changed, and nothing else."""
        base: dict[str, Any] = {}
        overlays: list[dict[str, Any]] = []
        for layer in self.layers:
            cut: dict[str, Any] = {}
            for key in sorted(self.changed):
                value = _get(layer.values, key)
                if value is not _MISSING:
                    cut = put(cut, key, value)
            if not layer.when and not overlays:
                base = _updated(base, cut)
                continue
            # A base that stands behind an overlay goes on standing there: it hides the overlay.
            names = {key[1] for key in self.changed if key[0] == "lists"}
            more = {
                verb: {name: items for name, items in lists.items() if name in names}
                for verb, lists in layer.more.items()
            }
            more = {verb: lists for verb, lists in more.items() if lists}
            if cut or more:
                overlays.append({"when": layer.when, "set": cut, **more})
        return {"extends": parent, "base": base, "overlays": overlays}

    def get(self, axes: Axes, key: Key) -> Any:  # noqa: ANN401 - a profile's values are JSON
        """The value at a point; None where there is none."""
        at = self._source(axes, key)
        return None if at is None else _get(self.layers[at].values, key)

    def names(self, axes: Axes, name: str) -> list[str]:
        """A list at a point; empty where there is none."""
        return list(self.get(axes, ("lists", name)) or ())

    def texts(self) -> Iterator[Mapping[str, Any]]:
        """Every text that any layer names."""
        for layer in self.layers:
            yield from layer.values.get("texts", {}).values()

    def set(self, values: Sequence[tuple[Axes, Any]], key: Key) -> None:
        """Put values in for the points they were learned at."""
        groups: dict[int, list[tuple[Axes, Any]]] = {}
        for axes, value in values:
            at = self._source(axes, key)
            groups.setdefault(0 if at is None else at, []).append((axes, value))
        for at, found in groups.items():
            self._set(at, found, key, values)
        self.changed.add(key)
        self.since.add(key)
        self.resolved.clear()

    def unseen(self, points: Sequence[Axes]) -> dict[str, list[str]]:
        """What layers ask for that holds at no point, by axis: there the known values stand."""
        asked = [
            (axis, name)
            for layer in self.layers
            for axis, names in layer.when.items()
            for name in names
        ]
        seen = {item for axes in points for item in axes.items()}
        found: dict[str, list[str]] = {}
        for axis, name in sorted({*asked} - seen):
            if axis != "model":
                found.setdefault(axis, []).append(name)
        return found

    def edited(self, name: str) -> bool:
        """Whether an overlay takes from a list or adds to it, so that no layer has it whole."""
        return any(name in names for layer in self.layers for names in layer.more.values())

    def _set(
        self,
        at: int,
        found: Sequence[tuple[Axes, Any]],
        key: Key,
        every: Sequence[tuple[Axes, Any]],
    ) -> None:
        counts = Counter(repr(value) for _, value in found)
        usual = counts.most_common(1)[0][0]
        chosen = next(value for _, value in found if repr(value) == usual)
        self.layers[at].values = put(self.layers[at].values, key, chosen)
        rest: dict[str, list[tuple[Axes, Any]]] = {}
        for axes, value in found:
            if repr(value) != usual:
                rest.setdefault(repr(value), []).append((axes, value))
        for others in rest.values():
            points = [axes for axes, _ in others]
            # A new overlay is seen at all points: those of other layers must keep theirs, too.
            when = self._apart(points, [axes for axes, value in every if value != others[0][1]])
            self.layers.append(Layer(when, put({}, key, others[0][1])))
            self._found = _Found({}, {})

    def _apart(self, points: Sequence[Axes], others: Sequence[Axes]) -> When:
        """The fewest axes that hold for some points and not for the others."""
        for axis in SPLIT:
            mine = {axes[axis] for axes in points}
            if not mine & {axes[axis] for axes in others}:
                return {axis: self._wide(axis, mine)}
        return {axis: self._wide(axis, {axes[axis] for axes in points}) for axis in SPLIT}

    def _wide(self, axis: str, values: Iterable[str]) -> list[str]:
        """Model names with all names of their classes."""
        if axis != "model":
            return sorted(values)
        return sorted({name for value in values for name in self.alike(value)})

    def alike(self, model: str) -> list[str]:
        """The model names that no overlay tells apart from this one, itself among them."""
        names = {name for layer in self.layers for name in layer.when.get("model", ())}
        return [name for name in {model, *names} if self._class(name) == self._class(model)]

    def classes(self) -> list[str]:
        """One model name of each class: the default, one that no overlay names, the others."""
        names = [name for layer in self.layers for name in layer.when.get("model", ())]
        found: dict[tuple[int, ...], str] = {self._class("default"): ""}
        found.setdefault(self._class("x"), "x")
        for name in names:
            found.setdefault(self._class(name), name)
        return list(found.values())

    def _class(self, model: str) -> tuple[int, ...]:
        found = self._found.classes
        if model not in found:
            found[model] = tuple(
                number
                for number, layer in enumerate(self.layers)
                if model in layer.when.get("model", ())
            )
        return found[model]

    def _source(self, axes: Axes, key: Key) -> int | None:
        """The last layer that sets a key at a point."""
        for number in self._matching(axes):
            if _get(self.layers[number].values, key) is not _MISSING:
                return number
        return None

    def _matching(self, axes: Axes) -> tuple[int, ...]:
        """The layers that apply to a point, the last one first."""
        point, found = frozenset(axes.items()), self._found.layers
        if point not in found:
            every = range(len(self.layers) - 1, -1, -1)
            found[point] = tuple(number for number in every if self.layers[number].matches(axes))
        return found[point]


def _overlay(layer: Layer) -> dict[str, Any]:
    return {"when": layer.when, "set": layer.values, **layer.more}


def _get(values: Mapping[str, Any], key: Key) -> Any:  # noqa: ANN401 - as above
    found: Any = values
    for name in key:
        if not isinstance(found, Mapping) or name not in found:
            return _MISSING
        found = cast("Mapping[str, Any]", found)[name]
    return found


def put(values: Mapping[str, Any], key: Key, value: object) -> dict[str, Any]:
    """The values with one set; what is not on the way to it is shared."""
    name, *inside = key
    if inside:
        value = put(values.get(name, {}), tuple(inside), value)
    return {**values, name: value}


def _updated(values: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    out = dict(values)
    for name, value in more.items():
        both = isinstance(value, dict) and isinstance(out.get(name), dict)
        out[name] = _updated(out[name], cast("dict[str, Any]", value)) if both else value
    return out
