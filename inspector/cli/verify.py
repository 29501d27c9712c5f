"""`inspector verify`: rebuild every request and compare it byte for byte."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from inspector.cli.learn_from import hint
from inspector.cli.options import json_option, print_json, say, store_option
from inspector.errors import BadInput, NothingCaptured

if TYPE_CHECKING:
    from inspector.named import Found
    from inspector.verify import SessionReport

DIFFERENT = 1


@click.command()
@click.argument("sessions", nargs=-1, required=True, metavar="SESSION...")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write NNN.built and NNN.origins.json there.",
)
@click.option(
    "--against",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Compare with the NNN.json there in place of the stored bodies.",
)
@store_option
@json_option
def verify(
    sessions: tuple[str, ...], out: Path | None, against: Path | None, store: Path, as_json: bool
) -> int:
    """Rebuild each request of SESSION from workspace and turns, and compare byte for byte.

    A session is named by its id, a unique prefix of it, a folder, or `last`. Exit 1 where a main
    request is not exact, 3 where no session holds a model request; side calls (titles, subagents)
    are listed as adopted.
    """
    from inspector import named, views, words

    if len(sessions) > 1 and (out or against):
        raise click.UsageError("--out and --against take one session")
    known = words.load()
    reports: list[SessionReport] = []
    for name, found in _once(sessions, store):
        _refuse(name, found)
        bodies = None if against is None else _bodies(against, found)
        report = named.verified(found, known, bodies)
        _warn(report, as_json=as_json)
        if bodies is None and (line := hint(name, report, found, store)):
            say(line)
        _keep(report)
        if out is not None:
            _write(report, out)
        reports.append(report)
    if as_json:
        print_json(views.verify_document(reports))
    else:
        from inspector import terminal

        terminal.verified(reports)
    if not any(report.requests for report in reports):
        return NothingCaptured.exit_code
    return 0 if all(report.exact for report in reports) else DIFFERENT


def _refuse(name: str, found: "Found") -> None:
    """A recording without its words can be verified no more."""
    from inspector.session import PRIVATE
    from inspector.verify.lacking import GONE

    if found.recording.session.source == PRIVATE:
        raise BadInput(f"{name}: {GONE}; verify the recording it was made of")


def _once(sessions: tuple[str, ...], store: Path) -> "Iterator[tuple[str, Found]]":
    """The sessions named, each once."""
    from inspector import named

    seen: set[object] = set()
    for name in sessions:
        found = named.find(name, store)
        recording = found.recording
        bodies = (exchange.request_sha256 for exchange in recording.exchanges)
        if (one := (recording.session.id, *bodies)) in seen:
            say(f"{name}: {recording.session.id} is named twice; it counts once")
            continue
        seen.add(one)
        yield name, found


def _bodies(against: Path, found: "Found") -> dict[int, bytes]:
    numbers = [exchange.number for exchange in found.recording.exchanges]
    bodies = {
        number: path.read_bytes()
        for number in numbers
        if (path := against / f"{number:03d}.json").is_file()
    }
    if not bodies:
        raise BadInput(f"{against}: holds none of this session's NNN.json; see `inspector raw`")
    return bodies


def _warn(report: "SessionReport", *, as_json: bool) -> None:
    """What is no part of the document, or of the table; a reason is said once."""
    from inspector import profiles

    if report.profile and not report.profile_exact:
        say(profiles.unknown(report.client, report.version, report.profile))
    if not report.requests:
        say(f"{report.session}: no model request in it; see `inspector show {report.session}`")
    told = set[str]() if as_json else {request.reason for request in report.requests}
    for note in report.notes:
        if note not in told:
            say(f"{report.session}: {note}")
    for fault in report.faults:
        say(fault)


def _keep(report: "SessionReport") -> None:
    """Keep the client texts a raw capture holds, so that sealed recordings can be checked whole."""
    from inspector import learn, words

    texts = learn.harvest_session(report)
    if not texts:
        return
    try:
        words.save(texts.values())
    except OSError as error:  # the proof stands without them
        say(f"{error.filename}: client texts are not kept there ({error.strerror})")


def _write(report: "SessionReport", out: Path) -> None:
    from inspector import views

    out.mkdir(parents=True, exist_ok=True)
    for request in report.requests:
        filled = request.comparison.filled
        (out / f"{request.number:03d}.built").write_bytes(filled.body)
        spelled = json.dumps(views.origins(filled), ensure_ascii=False, indent=1)
        data = spelled.encode("utf-8", "backslashreplace")
        (out / f"{request.number:03d}.origins.json").write_bytes(data + b"\n")
