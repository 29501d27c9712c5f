"""The model's calls, as their results refer to them, and what a plain script calls in turn."""

import re
from dataclasses import dataclass

from inspector.clients.codex.loose import Json, parsed
from inspector.jsontext import loads, read
from inspector.turns import Called, OtherBlock, ReplyBlock

_PRAGMA = re.compile(r"\A\s*// @exec:(?P<options>[^\n]*)\n")
_LIMIT = re.compile(r"""max_output_tokens["']?\s*:\s*(\d+)""")
_PRINTS = re.compile(
    r"\s*(?:(?:const|let|var)\s+(?P<name>\w+)\s*=\s*await\s+tools\.(?P<tool>\w+)\((?P<given>.*?)\);"
    r"\s*text\((?P=name)\);"
    r"|text\(await\s+tools\.(?P<tool_>\w+)\((?P<given_>.*?)\)\);)\s*(?=\Z|const|let|var|text)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool."""

    id: str
    kind: str
    """Type of the item that answers it."""
    name: str
    input: str
    """Its arguments as JSON text; for a custom tool what the model wrote."""
    namespace: str | None = None

    @property
    def full_name(self) -> str:
        """The name with its namespace, as scripts spell it."""
        return f"{self.namespace}__{self.name}" if self.namespace else self.name

    @property
    def arguments(self) -> Json:
        """The arguments; none where they are no object."""
        return parsed(self.input)


@dataclass(frozen=True, slots=True)
class Use:
    """A tool whose result a script puts out as it came."""

    tool: str
    given: str

    @property
    def limit(self) -> int | None:
        """The longest output it asks for, in tokens."""
        found = _LIMIT.search(self.given)
        return int(found[1]) if found else None

    @property
    def source(self) -> str:
        """The one string it is given, such as a patch; the arguments as they stand otherwise."""
        try:
            value = read(self.given)
        except ValueError:
            return self.given
        return value if isinstance(value, str) else self.given


def call_of(block: ReplyBlock) -> Call | None:
    """The call a block makes; None for words and thoughts."""
    if isinstance(block, Called):
        kind = "custom_tool_call_output" if block.custom else "function_call_output"
        return Call(block.id, kind, block.name, block.input, block.namespace)
    if not isinstance(block, OtherBlock):
        return None
    members = loads(block.raw)
    found = members.get("call_id") if isinstance(members, dict) else None
    if not isinstance(members, dict) or not isinstance(found, str):
        return None
    kinds = {"tool_search_call": "tool_search_output"}
    kind = str(members.get("type"))
    return Call(found, kinds.get(kind, "function_call_output"), kind, "")


def uses(script: str) -> tuple[Use, ...]:
    """The tools of a script that does nothing but put out their results; none for any other."""
    body = _PRAGMA.sub("", script)
    found: list[Use] = []
    at = 0
    while at < len(body):
        match = _PRINTS.match(body, at)
        if match is None:
            return ()
        found.append(
            Use(
                match["tool"] or match["tool_"],
                match["given"] if match["tool"] else match["given_"],
            )
        )
        at = match.end()
    return tuple(found)


def script_limit(script: str) -> int | None:
    """The longest output a script asks for in its first line, in tokens."""
    pragma = _PRAGMA.match(script)
    limit = parsed(pragma["options"]).get("max_output_tokens") if pragma else None
    return limit if isinstance(limit, int) else None
