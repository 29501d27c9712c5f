"""Rules of their own: one function, one line in `TABLE`."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from inspector.clients.claude_code import globs, service
from inspector.clients.claude_code.mcprules import Rules
from inspector.clients.mcpstable import Asked
from inspector.lint.finding import Finding, Severity
from inspector.lint.reasons import reasons
from inspector.lint.surveyed import Surveyed

LARGE = 40_000
"""Characters from which on Claude Code itself warns of a memory file."""

type Rule = Callable[[Surveyed], Iterator[Finding]]


def large(seen: Surveyed) -> Iterator[Finding]:
    """A rule's file is so large that the client warns of it."""
    for path, text in seen.memory().items():
        if len(text) > LARGE:
            said = f"{len(text):,} characters; from {LARGE:,} on the client warns of its cost"
            yield Finding("RULE-LARGE", Severity.WARNING, said, path, None, _name(path))


def never(seen: Surveyed) -> Iterator[Finding]:
    """The patterns of a rule or skill match no file that is there."""
    waiting = [item for item in seen.missing if item.patterns]
    files = seen.files() if waiting else None
    if files is None:
        return
    cwd = seen.world.environment.cwd
    for item in waiting:
        if not any(globs.matches(item.patterns, path, cwd) for path in files):
            said = f"no file of the workspace matches {', '.join(item.patterns)}"
            line = seen.line(item.path, "paths")
            rule = "RULE-PATHS-NEVER" if item.kind == "rule" else "SKILL-PATHS-NEVER"
            yield Finding(rule, Severity.WARNING, said, item.path, line, item.name)


def twice(seen: Surveyed) -> Iterator[Finding]:
    """Two rules say the same, word for word."""
    first: dict[str, str] = {}
    for path, text in seen.memory().items():
        words = " ".join(text.split())
        if len(words) >= 20 and words in first:
            said = f"the same text as {_name(first[words])}; the model reads it twice"
            yield Finding("RULE-TWICE", Severity.WARNING, said, path, None, _name(path))
        first.setdefault(words, path)


def servers(seen: Surveyed) -> Iterator[Finding]:
    """What a server's author may not expect the client to do with its list."""
    if seen.client.id != "claude-code":
        return
    for listing in seen.world.listings:
        if listing.state == "ready":
            for name, severity, function in Rules(seen.profile, service.named(seen.world)).table():
                for found in function(Asked(listing, {})):
                    tool = f"/{found.tool}" if found.tool else ""
                    yield Finding(
                        name,
                        Severity(severity),
                        f"{found.path}: {found.message}" if found.path else found.message,
                        f"mcp {listing.server}{tool}",
                        name=found.path,
                    )


TABLE: tuple[Rule, ...] = (reasons, large, never, twice, servers)


def lint(seen: Surveyed) -> list[Finding]:
    """Every finding once, by file and line, the gravest of a place first."""
    order = list(Severity)[::-1]
    found = {(item.key, item.line): _sized(seen, item) for rule in TABLE for item in rule(seen)}
    return sorted(
        found.values(),
        key=lambda item: (item.path, item.line or 0, order.index(item.severity), item.rule),
    )


def _sized(seen: Surveyed, item: Finding) -> Finding:
    chars = sum(one.chars for one in seen.items if one.path == item.path)
    versions = (seen.world.environment.version,)
    return replace(item, chars=chars, versions=versions)


def merged(found: Iterable[Sequence[Finding]]) -> list[Finding]:
    """The findings of several versions, each once, with all the versions it was found for."""
    every: dict[object, Finding] = {}
    for findings in found:
        for item in findings:
            one = every.get((item.key, item.line))
            before = one.versions if one is not None else ()
            every[item.key, item.line] = replace(one or item, versions=(*before, *item.versions))
    return sorted(every.values(), key=lambda item: (item.path, item.line or 0))


def _name(path: str) -> str:
    return path.rpartition("/")[2]
