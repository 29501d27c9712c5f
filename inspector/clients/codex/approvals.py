"""What the model is told of approvals: who gives them, and which commands have them already.

`exec` has nobody to ask and says that nothing can be approved, but where a reviewer of the client's
own decides (witness: ordinary_exec).
"""

import ast
from collections.abc import Iterator

from inspector.clients.codex.config import SYSTEM, Config, trusted
from inspector.clients.codex.fill import computed, fill
from inspector.clients.codex.loose import table
from inspector.clients.codex.paths import join, parent
from inspector.jsontext import quote
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, text
from inspector.text import join as joined
from inspector.workspace import Tree, World


def approval(world: World, config: Config, profile: Profile) -> Text:
    """The whole of it, between what the sandbox permits and its writable roots."""
    match config.approval:
        case "on-request":
            return _asked(world, config, profile)
        case "granular":
            return _granular(config, profile) + _reviewed(config, profile)
        case other:
            return profile.literal(f"permissions.approval.{other}")


def _asked(world: World, config: Config, profile: Profile) -> Text:
    stop = profile.literal("permissions.stop")
    if config.reviewed and profile.switches["approvals.reviewer"] == "alone":
        return stop + profile.known("permissions.reviewer")
    return joined(
        EMPTY,
        [
            stop,
            profile.known("permissions.on-request"),
            _approved(world, config, profile),
            _reviewed(config, profile),
        ],
    )


def _reviewed(config: Config, profile: Profile) -> Text:
    return profile.literal("permissions.reviewer.added") if config.reviewed else EMPTY


def _granular(config: Config, profile: Profile) -> Text:
    """Which kinds of approval may be asked for, and which are refused at once."""
    given = table(config.get("approval_policy", "granular"))
    made = profile.literal("permissions.granular")
    for key, wanted in (("asked", True), ("refused", False)):
        kinds = [one for one in profile.lists["approvals.kinds"] if bool(given.get(one)) is wanted]
        rows = [fill(profile.literal("permissions.granular.row"), {"kind": _own(k)}) for k in kinds]
        if rows:
            made += profile.literal(f"permissions.granular.{key}") + joined(EMPTY, rows)
    return made


def _own(value: str) -> Text:
    return computed("approvals", value)


def _approved(world: World, config: Config, profile: Profile) -> Text:
    """Commands the rules allow without asking, the shortest first."""
    found = {str(shown): (key, shown) for key, shown in _allowed(world, config)}
    ordered = [shown for _, shown in sorted(found.values(), key=lambda one: one[0])]
    if not ordered:
        return EMPTY
    most = profile.limits["approvals.prefixes"]
    row = profile.literal("permissions.prefix")
    newline = profile.literal("newline")
    listed = joined(newline, [fill(row, {"prefix": shown}) for shown in ordered[:most]])
    size = len(str(listed).encode())
    if size > profile.limits["approvals.bytes"] or len(ordered) > most:
        kept = str(listed).encode()[: profile.limits["approvals.bytes"]].decode("utf-8", "ignore")
        listed = listed[: len(kept)] + profile.literal("permissions.prefixes.cut")
    return profile.literal("permissions.prefixes") + listed + newline


type _Key = tuple[int, int, list[str]]


def _allowed(world: World, config: Config) -> Iterator[tuple[_Key, Text]]:
    home = world.environment.config_home
    own = [join(folder, ".codex") for folder in trusted(world.environment, config)]
    for folder in (parent(SYSTEM), home, *own):
        rules = join(folder, "rules")
        names = sorted(entry.name for entry in world.tree.list(rules) or ())
        for name in names:
            if name.endswith(".rules"):
                yield from _rules(world.tree, join(rules, name))


def _rules(tree: Tree, path: str) -> Iterator[tuple[_Key, Text]]:
    """The prefixes a file of rules allows; its language reads as Python does."""
    words = (tree.read(path) or b"").decode("utf-8", "replace")
    try:
        module = ast.parse(words)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for statement in module.body:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "prefix_rule":
            yield from _prefixes(call, words, path)


def _prefixes(call: ast.Call, words: str, path: str) -> Iterator[tuple[_Key, Text]]:
    given = {word.arg: word.value for word in call.keywords}
    decision = given.get("decision")
    pattern = given.get("pattern")
    allowed = decision is None or getattr(decision, "value", None) == "allow"
    if not allowed or not isinstance(pattern, ast.List) or not pattern.elts:
        return
    first, *rest = (_choices(element) for element in pattern.elts)
    for one in first:
        tokens = [one, *(c[0] if len(c) == 1 else f"[{'|'.join(c)}]" for c in rest)]
        shown = f"[{', '.join(map(quote, tokens))}]"
        key = (len(tokens), sum(len(token.encode()) for token in tokens), tokens)
        yield key, _shown(shown, ast.get_source_segment(words, pattern), words, path)


def _choices(element: ast.expr) -> list[str]:
    inner = element.elts if isinstance(element, ast.List) else [element]
    return [str(getattr(one, "value", "")) for one in inner]


def _shown(shown: str, written: str | None, words: str, path: str) -> Text:
    """The prefix as the file spells it, where that is the same."""
    if shown != written:
        return computed("approvals.prefix", shown)
    start = words.index(shown)
    return text(words, Origin(Kind.FILE, path))[start : start + len(shown)]
