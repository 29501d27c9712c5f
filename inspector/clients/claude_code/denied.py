"""Files that permission rules keep from being read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from inspector.clients.claude_code import links
from inspector.clients.claude_code.ignored import ignores
from inspector.clients.claude_code.options import names, options
from inspector.clients.claude_code.plain import items, mapping
from inspector.clients.claude_code.settings import Settings
from inspector.workspace import Environment, Tree


@dataclass(frozen=True, slots=True)
class Denied:
    """Patterns of `Read(…)` in deny rules, by the folder each is relative to."""

    patterns: Mapping[str, tuple[str, ...]]

    @classmethod
    def reads(cls, settings: Settings, environment: Environment) -> "Denied":
        """The rules of every scope and of the command line."""
        out: dict[str, list[str]] = {}
        for scope, rule in _rules(settings, environment):
            for folder, patterns in cls.of(scope, rule, environment).patterns.items():
                out.setdefault(folder, []).extend(patterns)
        return cls({folder: tuple(found) for folder, found in out.items()})

    @classmethod
    def of(cls, scope: str, rule: object, environment: Environment) -> "Denied":
        """One rule of a scope by itself; nothing where it is none of reading."""
        if not isinstance(rule, str) or not rule.startswith("Read(") or not rule.endswith(")"):
            return NOTHING
        folder, pattern = _rooted(rule[5:-1], scope, environment)
        return cls({folder: (_shortened(pattern),)})

    def holds(self, path: str) -> bool:
        """Whether a rule denies reading a file, or a folder where the path ends with a slash."""
        for folder, found in self.patterns.items():
            base = folder.rstrip("/") + "/"
            if f"{path.rstrip('/')}/" == base:
                return "**" in found or "/**" in found
            if path.startswith(base) and ignores(found, path[len(base) :]):
                return True
        return False

    def hides(self, tree: Tree, environment: Environment, path: str, folder: bool) -> bool:
        """Whether a rule denies what a path names, or what its links lead to (mention_denied)."""
        if not self.patterns:
            return False
        real = links.resolved(tree, path, (environment.cwd, environment.home))
        spellings = dict.fromkeys([path, real])
        return any(self.holds(one) or (folder and self.holds(f"{one}/")) for one in spellings)


NOTHING = Denied({})
"""No rules at all."""


def _rules(settings: Settings, environment: Environment) -> Iterator[tuple[str, object]]:
    for scope, values in settings.scopes:
        for rule in items(mapping(values.get("permissions")).get("deny")):
            yield scope, rule
    for rule in commanded(environment):
        yield "cliArg", rule


def commanded(environment: Environment) -> Sequence[str]:
    """The rules that the command line denies by."""
    return names(options(environment.argv).all("--disallowedTools"))


def _shortened(pattern: str) -> str:
    """All that lies in a folder is the folder itself, wherever one of a bare name is."""
    rest = pattern.removesuffix("/**")
    return rest if rest.strip("/") else pattern


def _rooted(pattern: str, scope: str, environment: Environment) -> tuple[str, str]:
    """A pattern and the folder it starts from: `//` the root, `~/` home, `/` the settings' own."""
    if pattern.startswith("//"):
        return "/", pattern[1:]
    if pattern.startswith("~/"):
        return environment.home, pattern[1:]
    if pattern.startswith("/"):
        own = environment.config_home if scope == "userSettings" else environment.cwd
        return own, pattern
    return environment.cwd, pattern.removeprefix("./")
