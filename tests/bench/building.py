"""Building: one request of a long session, a workspace of many files, memory."""

import gc
import json
import tempfile
import tracemalloc
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

import orjson

from inspector import clients
from inspector.build import Conversation
from inspector.profiles import find, resolve
from inspector.snapshot import DiskTree
from inspector.text import Built
from inspector.turns import Called, Prompted, Replied, Returned, Said, Shelled, Turn
from inspector.workspace import Environment, Tree, World
from tests.bench import made
from tests.bench.parts import timed

_VERSION = "2.1.332"
_MOMENT = "2026-01-02T03:04:05.000+00:00"


def begun(world: World) -> Conversation:
    """A conversation that has read its workspace."""
    client = clients.client("claude-code")
    profile = resolve(find("claude-code", _VERSION), client.axes(world))
    return Conversation.begin(client, world, profile, {})


def world(tree: Tree, folder: Path) -> World:
    """A workspace on disk and an environment around it."""
    facts = Environment(
        client="claude-code",
        version=_VERSION,
        argv=("-p", "go"),
        cwd=str(folder / "ws"),
        home=str(folder / "home"),
        config_home=str(folder / "home/.claude"),
        date="2026-01-02",
    )
    return World(tree, facts, ())


def turns(count: int) -> Iterator[Turn]:
    """A prompt, then rounds of one shell command each, their outputs as long as in `made`."""
    word = Random(count)
    yield Turn(at=_MOMENT, events=(Prompted(text="go"),))
    for number in range(1, count):
        command = json.dumps({"command": f"make check-{number}"})
        call = Called(id=f"toolu_{number}", name="Bash", input=command)
        said = Said(text=made.text(word, 120))
        reply = Replied(
            id=f"msg_{number}",
            blocks=(said, call),
            stop="tool_use",
            input_tokens=10,
            output_tokens=5,
        )
        shelled = Shelled(printed=made.text(word, int(200 * 40 ** word.random())))
        yield Turn(at=_MOMENT, events=(reply, Returned(call=call.id, outcome=shelled)))


def session(rounds: int) -> list[list[str]]:
    """The last requests of a session of 500 turns, against an orjson dump of the same body."""
    rows = [["turn", "body KB", "build ms min", "dump ms min", "x dump min", "x dump median"]]
    with tempfile.TemporaryDirectory() as name:
        _workspace(Path(name), 10)
        where = world(DiskTree(), Path(name))
        conversation = begun(where)
        times: list[tuple[float, float]] = []
        body = b""
        for number, turn in enumerate(turns(500 + rounds * 5), 1):
            built: list[Built] = []
            spent = timed(partial(_step, conversation, turn, where, built))
            body = built[0].body
            if 40 <= number < 50 or 240 <= number < 250 or number >= 500:
                times.append((spent, timed(partial(orjson.dumps, orjson.loads(body)))))
            if number in {50, 250}:
                rows.append(_row(str(number), body, times))
                times = []
        rows.append(_row("500", body, times))
    return rows


def _step(conversation: Conversation, turn: Turn, where: World, into: list[Built]) -> None:
    into.append(conversation.step(turn, where))


def _row(label: str, body: bytes, times: list[tuple[float, float]]) -> list[str]:
    build, dump = (min(column) for column in zip(*times, strict=True))
    shares = sorted(spent / base for spent, base in times)
    return [
        label,
        f"{len(body) / 1000:.0f}",
        f"{build * 1000:.2f}",
        f"{dump * 1000:.2f}",
        f"{build / dump:.2f}",
        f"{shares[len(shares) // 2]:.2f}",
    ]


def _workspace(folder: Path, count: int) -> None:
    """As many rules and skills together as `count`."""
    for number in range(count // 2):
        rule = folder / "ws/.claude/rules" / f"r{number}.md"
        rule.parent.mkdir(parents=True, exist_ok=True)
        where = f"---\npaths: src/part{number}/**\n---\n" if number % 2 else ""
        rule.write_text(f"{where}# Rule {number}\n\nKeep **part {number}** tidy.\n", "utf-8")
        skill = folder / "ws/.claude/skills" / f"skill-{number}" / "SKILL.md"
        skill.parent.mkdir(parents=True)
        front = f"name: skill-{number}\ndescription: What skill {number} is for, in a line\n"
        skill.write_text(f"---\n{front}---\n\nDo the {number}th thing.\n", "utf-8")
    (folder / "home/.claude").mkdir(parents=True)


def workspace(rounds: int) -> list[list[str]]:
    """Reading 2,000 rules and skills from disk and making the first request."""
    rows = [["files", "s min", "s a file"]]
    for count in (200, 2000):
        with tempfile.TemporaryDirectory() as name:
            _workspace(Path(name), count)
            where = world(DiskTree(), Path(name))
            read = partial(_first, where, next(turns(2)))
            low = min(timed(read) for _ in range(min(rounds, 3)))
            rows.append([str(count), f"{low:.3f}", f"{low / count:.6f}"])
    return rows


def _first(where: World, turn: Turn) -> Built:
    return begun(where).step(turn, where)


def memory() -> list[list[str]]:
    """What a session holds after 250 and 500 turns, against the bytes of its last body."""
    rows = [["turns", "last body KB", "held KB", "held / body"]]
    with tempfile.TemporaryDirectory() as name:
        _workspace(Path(name), 10)
        where = world(DiskTree(), Path(name))
        steps = list(turns(500))
        _first(where, steps[0])  # what is read and compiled once is no session's
        for count in (250, 500):
            gc.collect()
            tracemalloc.start()
            conversation = begun(where)
            size = 0
            for turn in steps[:count]:
                size = len(conversation.step(turn, where).body)
            gc.collect()
            held = tracemalloc.get_traced_memory()[0]
            tracemalloc.stop()
            rows.append(
                [str(count), f"{size / 1000:.0f}", f"{held / 1000:.0f}", f"{held / size:.2f}"]
            )
    return rows
