"""Learning a client version: run the probes, study what was captured, score what was held out."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector import clients, learn, profiles
from inspector.errors import BadInput
from inspector.learn import Draft, Sample, Study, Unlearned
from inspector.probe.plan import jobs, looks
from inspector.probe.runs import Run, run
from inspector.score import Row, score
from inspector.snapshot import SnapshotTree
from inspector.workspace import World

_VERSION = re.compile(r"\d+(\.\d+)+")
LEARNABLE = profiles.PROBED
"""Clients that there are probes for."""
NEAR = 2
"""Known versions to choose from, newer ones and older ones each."""


@dataclass(frozen=True, slots=True)
class Result:
    """What was learned of a version."""

    client: str
    version: str
    parent: str
    document: Mapping[str, Any]
    """The profile: what differs from its parent."""
    words: Sequence[str]
    """The client's texts, for the data folder."""
    before: tuple[Row, ...]
    """The parent's score on the workspaces held out."""
    rows: tuple[Row, ...]
    """The learned profile's."""
    not_learned: tuple[Unlearned, ...]
    """What differs on the workspaces held out."""
    left: tuple[Unlearned, ...]
    """What still differs on those it learned from, which have more models."""
    thin: tuple[str, ...]
    """Texts seen on fewer unlike workspaces than a profile for others asks for."""
    shared: Mapping[str, Any]
    """The profile without these, for others."""
    shared_rows: tuple[Row, ...]
    """Its score."""
    troubles: tuple[str, ...]
    """Runs that brought nothing, or whose logs could not be read: the score has not all in it."""
    unprobed: Mapping[str, Sequence[str]]
    """Values of axes that no probe has: there the parent's values stand, unlooked at."""


def learned(client: str, binary: Path, say: Callable[[str], None]) -> Result:
    """Run a client on all probes and make its profile."""
    if client not in LEARNABLE:
        raise BadInput(f"{client}: no probes for it yet; {', '.join(LEARNABLE)} can be learned")
    first = run([*looks(client)], binary, "")
    version = _version(first, binary)
    parent = _closest(client, version, first)
    draft = Draft.of(profiles.layers(client, parent))
    planned = [*jobs(client, tuple(draft.classes()))]
    many = len(first) + len(planned)
    say(f"{client} {version}: {many} probes, starting from the profile of {parent}")
    runs = [*first, *run(planned, binary, _deferred(first, draft))]
    seen = [*samples(client, runs)]
    study = Study(client, version, seen, SnapshotTree, draft)
    held = [sample for sample in seen if sample.held]
    before = score(study.reports(study.draft, held).values())
    study.learn()
    # What is scored is the very document that is kept.
    document: dict[str, Any] = study.draft.delta(parent)
    after = study.rebuilt(document, held)
    if _exact(score(after.values())) < _exact(before):
        # What does not hold on other workspaces is none of the client's: the parent stays.
        document = {"extends": parent, "base": {}, "overlays": []}
        after = study.rebuilt(document, held)
    thin = tuple(study.thin())
    known = {
        name
        for layer in Draft.of(profiles.layers(client, parent)).layers
        for name in layer.values.get("texts", {})
    }
    others = learn.shared(document, thin, known)
    shown = study.rebuilt(others, held) if others != document else after
    left = study.rebuilt(document, [sample for sample in seen if not sample.held])
    return Result(
        client,
        version,
        parent,
        document,
        tuple(study.words.values()),
        before,
        score(after.values()),
        tuple(learn.unlearned(after)),
        tuple(learn.unlearned(left)),
        thin,
        others,
        score(shown.values()),
        tuple(f"{one.job.label}: {one.trouble}" for one in runs if one.trouble),
        study.draft.unseen([sample.axes for sample in seen]),
    )


def _exact(rows: Sequence[Row]) -> tuple[int, int]:
    """How much of some rows is exact: requests, then segments."""
    return sum(row.exact for row in rows), sum(row.segments_exact for row in rows)


def _version(runs: Sequence[Run], binary: Path) -> str:
    for one in runs:
        if one.recording is not None and _VERSION.fullmatch(one.recording.session.version):
            return one.recording.session.version
    reason = next((one.trouble for one in runs if one.trouble), "no request was seen")
    raise BadInput(f"{binary}: nothing to learn from ({reason}); try `inspector doctor`")


def _closest(client: str, version: str, runs: Sequence[Run]) -> str:
    """The known version to start from: the one near by that the first look differs least from."""
    seen = [*samples(client, runs)]
    known = [name for name in profiles.names(client) if name != version]
    older = [name for name in known if profiles.order(name) < profiles.order(version)]
    newer = [name for name in known if name not in older]

    def far(name: str) -> int:
        draft = Draft.of(profiles.layers(client, name))
        study = Study(client, version, seen, SnapshotTree, draft)
        return study.cost(study.start(seen))

    near = [*newer[:NEAR], *reversed(older[-NEAR:])]
    return min(near, key=far)


def _deferred(runs: Sequence[Run], draft: Draft) -> str:
    """The names of all tools that wait, so that a probe can load them."""
    literal = draft.get({}, ("literals", "tools.deferred")) or ""
    found: dict[str, None] = {}
    for one in runs:
        for exchange in one.recording.exchanges if one.recording is not None else ():
            text = exchange.request.decode("utf-8", "replace")
            start = literal.partition(":\n")[0][:60]
            behind = text.partition(start)[2].partition(":\\n")[2] if start else ""
            names = behind.partition('"')[0].split("\\n\\n")[0].split("\\n")
            found |= dict.fromkeys(name for name in names if re.fullmatch(r"[A-Z]\w+", name))
    return ",".join(found)


def samples(client: str, runs: Sequence[Run]) -> Iterator[Sample]:
    """The runs that were captured, each at its point of the axes."""
    known = clients.client(client)
    for one in runs:
        if one.recording is not None and one.recording.snapshot is not None:
            snapshot = one.recording.snapshot
            tree = SnapshotTree(snapshot, "")
            axes = known.axes(World(tree, snapshot.environment, snapshot.listings))
            probe = one.job.probe
            yield Sample(one.job.label, probe.name, probe.held, axes, one.recording)
