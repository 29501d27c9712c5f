"""What the client makes of a shell command's end: exit code, silence, long output, folder."""

import re

from inspector.clients.claude_code import echo, notices, shelltool, system
from inspector.clients.claude_code.javascript import cut, trim_end, units
from inspector.clients.claude_code.phrase import computed, fact, lines, phrase
from inspector.jsontext import Number
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.turns import Called, Shelled
from inspector.workspace import Environment

_EMPTY_LINES = re.compile(r"(?:\s*\n)+")


def result(
    profile: Profile, environment: Environment, session: Text, asked: Called, ended: Shelled
) -> Text:
    """The text of a shell result."""
    call = asked.id
    printed = text(ended.printed, Origin(Kind.OUTCOME, call))
    if ended.detached:
        given = _limit(profile, environment, asked) if ended.stopped else None
        said = notices.detached(profile, environment, session, call, given)
        return lines([*([printed] if printed else []), said])
    if ended.code is not None:
        code = phrase(profile, "shell.code", code=text(ended.code, Origin(Kind.OUTCOME, call)))
        stopped = [_stopped(profile, environment, asked)] if ended.stopped else []
        whole = lines([code, *stopped, *([printed] if printed else [])])
        return _shortened(profile, whole, call, ended)
    leading = _EMPTY_LINES.match(str(printed))
    printed = trim_end(printed[leading.end() :] if leading else printed)
    if ended.size is not None:
        printed = _saved(profile, environment, session, printed, ended.size, call)
    parts = [printed] if printed else []
    if ended.reset:
        parts.append(phrase(profile, "shell.reset", cwd=fact("cwd", environment.cwd)))
    return lines(parts) or phrase(profile, "result.silent", tool=computed("Bash", "tool"))


def _stopped(profile: Profile, environment: Environment, asked: Called) -> Text:
    """What is said of a command that took too long: its time limit."""
    limit = _limit(profile, environment, asked)
    return phrase(profile, "shell.stopped", time=computed(duration(limit), "time limit"))


def _limit(profile: Profile, environment: Environment, asked: Called) -> float:
    """How long a command was given, in milliseconds."""
    given = echo.arguments(asked).get("timeout")
    limits = shelltool.limits(profile, environment)
    return min(float(given.text), limits.most) if isinstance(given, Number) else limits.default


def duration(milliseconds: float) -> str:
    """A time as the client shows one: `1m 30s`."""
    seconds = int(milliseconds // 1000)
    hours, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
    if hours:
        return f"{hours}h {minutes}m {rest}s"
    return f"{minutes}m {rest}s" if minutes else f"{rest}s"


def _shortened(profile: Profile, whole: Text, call: str, ended: Shelled) -> Text:
    """An error without its middle: as much of its end stays as of its beginning."""
    if ended.rest is None:
        return whole
    origin = Origin(Kind.OUTCOME, call)
    kept = profile.limits["result.error"] // 2
    end = text(ended.rest, origin)
    said = phrase(profile, "result.cut", count=text(ended.left_out or "", origin))
    return cut(whole, kept) + said + end[max(len(end) - kept, 0) :]


def _saved(
    profile: Profile, environment: Environment, session: Text, whole: Text, size: str, call: str
) -> Text:
    """An output that was put into a file of a random name."""
    name = system.numbered(profile, "task_id", call) + computed(".txt", "file")
    path = folder(profile, environment, session) + name
    return _shown(profile, whole, text(size, Origin(Kind.OUTCOME, call)), path)


def kept(profile: Profile, whole: Text, where: Text, name: str) -> Text:
    """A whole result that was put into a file called after its call."""
    size = f"{units(str(whole)) / 1024:.1f}".removesuffix(".0") + "KB"
    return beginning(profile, whole, computed(size, "size"), where, name)


def beginning(profile: Profile, whole: Text, size: Text, where: Text, name: str) -> Text:
    """What is shown of a result of a given size that was put into a file called after its call."""
    call, _, ending = name.partition(".")
    path = where + text(call, Origin(Kind.REPLY, "id")) + computed(f".{ending}", "file")
    return _shown(profile, whole, size, path)


def _shown(profile: Profile, whole: Text, size: Text, path: Text) -> Text:
    """What is shown of a long result: its beginning, up to the end of a line."""
    limit = profile.limits["result.beginning"]
    beginning = whole
    if len(whole) > limit:
        beginning = cut(whole, limit)
        last = str(beginning).rfind("\n")
        beginning = beginning[:last] if last > limit / 2 else beginning
    return phrase(profile, "result.saved", size=size, path=path, beginning=beginning)


def folder(profile: Profile, environment: Environment, session: Text) -> Text:
    """Where a session keeps long results, up to the file's name."""
    return phrase(
        profile,
        "results.folder",
        home=fact("config_home", environment.config_home),
        project=fact("project", system.slug(environment.cwd)),
        session=session,
    )
