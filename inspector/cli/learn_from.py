"""`inspector learn --from`: what an account's flags change, from the user's own sessions."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.cli.options import print_json, say
from inspector.errors import counted

if TYPE_CHECKING:
    from inspector.learn import Account, Taken
    from inspector.named import Found
    from inspector.session import Session
    from inspector.verify import SessionReport

DIFFERENT = 1
LOOKED_AT = 20
"""Sessions of the store that one to learn from is looked for in, the newest first."""


def learn_from(names: Sequence[str], store: Path, *, as_json: bool) -> int:
    """Learn from sessions, keep what was learned, and say what it is."""
    from inspector import learn, learned, named, words
    from inspector.snapshot import SnapshotTree

    found = {one.recording.session.id: one for one in (named.find(name, store) for name in names)}
    study = learn.Account([taken(one) for one in found.values()], SnapshotTree, words.load())
    study.learn()
    path = ""
    if study.layers:
        words.save(study.found.values())
        path = str(learned.add(study.client, study.version, study.overlays()))
    if as_json:
        print_json(document(study, path))
    else:
        _print(study, path)
    return 0 if _exact(study.after) == _requests(study.after) else DIFFERENT


def taken(found: "Found") -> "Taken":
    """A session with the axes it was made with."""
    from inspector import clients, learn
    from inspector.snapshot import SnapshotTree
    from inspector.workspace import World

    recording = found.recording
    snapshot, client = recording.snapshot, recording.session.client
    axes: Mapping[str, str] = {}
    if snapshot is not None and client in clients.names():
        world = World(SnapshotTree(snapshot, ""), snapshot.environment, snapshot.listings)
        axes = clients.client(client).axes(world)
    return learn.Taken(recording, axes, found.earlier)


def document(study: "Account", path: str) -> dict[str, Any]:
    """The result for programs."""
    return {
        "client": study.client,
        "version": study.version,
        "account": study.taken[0].account,
        "profile": path or None,
        "sessions": [one.name for one in study.taken],
        "learned": [
            {
                "key": ".".join(key),
                "sha256": lesson.value["sha256"] if lesson.words is not None else None,
                "chars": lesson.value["chars"] if lesson.words is not None else None,
                "value": None if lesson.words is not None else lesson.value,
                "sessions": [*study.seen[key]],
            }
            for key, lesson in study.learned.items()
        ],
        "not_learned": [
            {"what": one.what, "reason": one.reason, "sessions": [*one.sessions]}
            for one in study.refused.values()
        ],
        "score": {
            "requests": _requests(study.after),
            "exact_before": _exact(study.before),
            "exact_after": _exact(study.after),
        },
    }


def _requests(reports: "Mapping[str, SessionReport]") -> int:
    from inspector.learn.trials import main

    return sum(len(main(report)) for report in reports.values())


def _exact(reports: "Mapping[str, SessionReport]") -> int:
    from inspector.learn.trials import main

    return sum(one.exact for report in reports.values() for one in main(report))


def _print(study: "Account", path: str) -> None:
    from inspector import terminal

    out = terminal.console()
    account = ", ".join(f"{axis} {value}" for axis, value in study.taken[0].account.items())
    head = f"{study.client} {study.version}, {account}"
    out.print(f"{head}: {path or 'nothing learned'}", style="bold", markup=False)
    for key, lesson in study.learned.items():
        name, where = ".".join(key), counted(len(study.seen[key]), "session")
        if lesson.words is not None:
            what = f"{lesson.value['sha256'][:12]}, {lesson.value['chars']:,} characters"
        else:
            what = str(lesson.value)[:80]
        out.print(f"  learned {name}: {what}, equal on {where}", markup=False)
    for one in study.refused.values():
        out.print(f"  not learned {one.what}: {one.reason}", style="yellow", markup=False)
    total = _requests(study.after)
    out.print(
        f"  requests exact before {_exact(study.before)}, now {_exact(study.after)} of {total}",
        markup=False,
    )
    if _exact(study.after) < total:
        say(f"what still differs: `inspector verify {' '.join(one.name for one in study.taken)}`")


def hint(name: str, report: "SessionReport", found: "Found", store: Path) -> str:
    """The line that learns what differs, where it may be the client's; empty where none may."""
    from inspector import profiles
    from inspector.learn.trials import main
    from inspector.text import Kind
    from inspector.verify.lacking import UNMODELLED

    if not report.profile_exact or report.client not in profiles.PROBED:
        return ""
    if any(note.endswith(UNMODELLED) for note in report.notes):
        return ""  # what differs has a cause that is no account's
    places = [
        item
        for request in main(report)
        for item in request.comparison.differences
        if item.verdict in {"missing", "extra"}
        or (item.origin is not None and item.origin.kind in {Kind.KNOWN, Kind.LITERAL})
    ]
    headers = [name for request in main(report) for name in request.headers.different]
    if not places and not headers:
        return ""
    other = _unlike(found, store)
    mine = name if Path(name).is_dir() else report.session
    where = counted(len(places) + len(headers), "place")
    line = (
        f"{report.session}: {where} not as this version's profile says; where your account's"
        " flags changed the client's text,"
        f" `inspector learn --from {mine} {other or 'ANOTHER'}` learns it"
    )
    if other:
        return line
    return f"{line}; ANOTHER: a session of another folder, day, git state, names and files"


def _unlike(found: "Found", store: Path) -> str:
    """The newest session of the same version and account class in an unlike workspace."""
    from inspector.learn.unlike import alike, likeness
    from inspector.named import Found
    from inspector.session import Recording
    from inspector.store import Store

    session = found.recording.session
    if found.recording.snapshot is None or not store.exists():
        return ""
    mine = likeness(found.recording)
    with Store.open(store, create=False) as opened:
        sessions = [one for one in reversed(opened.sessions()) if one.id != session.id]
        for one in [item for item in sessions if _sort(item) == _sort(session)][:LOOKED_AT]:
            recording = Recording(one, (), opened.snapshot(one.id))
            if recording.snapshot is None or alike([mine, likeness(recording)]):
                continue
            if taken(Found(recording)).account == taken(found).account:
                return one.id
    return ""


def _sort(session: "Session") -> tuple[str, str, str]:
    return session.client, session.version, session.route
