"""YAML as the client's runtime reads it: the core schema of version 1.2, over PyYAML's parser.

PyYAML knows version 1.1; what differs is set right here. Witness: Claude Code 2.1.332's own reader
on generated documents (tests/clients/claude_code/test_judged.py).
"""

# PyYAML's stubs leave its scanner, parser and constructor untyped.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

import math
import re
from typing import Any

import yaml

from inspector.clients.claude_code.javascript import number_text
from inspector.clients.claude_code.plain import is_list, is_mapping, items, mapping

YAMLError = yaml.YAMLError

# PyYAML refuses these or takes them for line ends; the client reads them as letters. They go
# through the parser in a private plane.
_CONTROLS = (*range(1, 9), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0))
_LETTERS = (*_CONTROLS, 0x2028, 0x2029, 0xFEFF)
_PLANE = 0x100000
_IN = {code: _PLANE + code for code in (*_LETTERS, 0xFFFE, 0xFFFF, *range(0xD800, 0xE000))}
_OUT = {put: code for code, put in _IN.items()}
_ODD = re.compile(f"[{''.join(map(re.escape, map(chr, _IN)))}]")

_CORE = "tag:yaml.org,2002:"
_WORDS = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("~", "null", "Null", "NULL", "")),
}
_INT = re.compile(r"[-+]?(?:[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITE = re.compile(r"([-+]?)\.(?:inf|Inf|INF)")
_NAN = frozenset({".nan", ".NaN", ".NAN"})
_EXACT, _MACHINE = 2**53, 2**64


# What most frontmatter is made of: words behind plain names. It means the same to every reader.
_SIMPLE_LINE = r"[A-Za-z][A-Za-z0-9_-]*: [A-Za-z](?:[A-Za-z0-9 _,./()'+-]*[A-Za-z0-9_,./()'+-])?"
_SIMPLE = re.compile(rf"{_SIMPLE_LINE}(?:\n{_SIMPLE_LINE})*\n?")


def load(source: str) -> object:
    """The value of one document; `YAMLError` where the client finds none."""
    return _simple(source) if _SIMPLE.fullmatch(source) else _parsed(source)


def _simple(source: str) -> object:
    pairs = [line.split(": ", 1) for line in source.splitlines()]
    return {key_text(_plain(key)): _plain(value) for key, value in pairs}


def _parsed(source: str) -> object:
    plain = source.removeprefix("\ufeff")
    odd = _ODD.search(plain) is not None
    try:
        value: object = yaml.load(plain.translate(_IN) if odd else plain, Loader=_Loader)  # noqa: S506
    except RecursionError:
        raise YAMLError("nested too deeply to be read") from None
    return _back(value) if odd else value


def key_text(key: object) -> str:
    """A mapping's key as JavaScript makes a property name of it."""
    if isinstance(key, str):
        return key
    if key is None or isinstance(key, bool):
        return "null" if key is None else str(key).lower()
    if isinstance(key, int | float):
        return number_text(key)
    return ",".join(map(key_text, items(key))) if is_list(key) else "[object Object]"


def _back(value: object) -> object:
    if isinstance(value, str):
        return value.translate(_OUT)
    if is_list(value):
        return [_back(item) for item in items(value)]
    if is_mapping(value):
        return {str(_back(key)): _back(item) for key, item in mapping(value).items()}
    return value


def _plain(text: str) -> object:
    """What a plain scalar means."""
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text):
        return _whole(text)
    if _FLOAT.fullmatch(text):
        number = float(text)
        return int(number) if number.is_integer() and abs(number) < _EXACT else number
    infinite = _INFINITE.fullmatch(text)
    if infinite:
        return -math.inf if infinite[1] == "-" else math.inf
    return math.nan if text in _NAN else text


def _whole(text: str) -> int | float | str:
    digits = text.lstrip("-+")
    base = {"0o": 8, "0x": 16}.get(digits[:2], 10)
    number = int(digits if base == 10 else digits[2:], base) * (-1 if text[0] == "-" else 1)
    if base != 10 and abs(number) >= _MACHINE:
        return text
    return number if abs(number) < _EXACT else float(number)


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader with the other version's scalars, tabs, keys and tags."""

    def scan_to_next_token(self) -> None:
        """Tabs separate tokens; only in an indentation they may not stand."""
        while True:
            while self.peek() == " " or (self.peek() == "\t" and self._tab_separates()):
                self.forward()
            if self.peek() == "#" and self._starts_word():
                while self.peek() not in "\0\r\n":
                    self.forward()
            if not self.scan_line_break():  # type: ignore[no-untyped-call]
                return
            if not self.flow_level:
                self.allow_simple_key = True

    def _starts_word(self) -> bool:
        return self.pointer == 0 or self.buffer[self.pointer - 1] in " \t\r\n"

    def _tab_separates(self) -> bool:
        if self.flow_level or self.buffer[self.pointer - self.column : self.pointer].strip():
            return True
        length = 1
        while self.peek(length) in " \t":
            length += 1
        return self.peek(length) in "\0\r\n#"

    def fetch_flow_entry(self) -> None:
        """Outside brackets a comma is a letter."""
        if self.flow_level:
            super().fetch_flow_entry()
        else:
            self.fetch_plain()

    def scan_plain_spaces(self, indent: int, start_mark: object) -> list[str] | None:  # noqa: ARG002
        """As PyYAML does it, with tabs among the blanks."""
        length = 0
        while self.peek(length) in " \t":
            length += 1
        blanks = self.prefix(length)
        self.forward(length)
        if self.peek() not in "\r\n":
            return [blanks] if blanks else []
        self.scan_line_break()  # type: ignore[no-untyped-call]
        self.allow_simple_key = True
        breaks: list[str] = []
        while not self._document_ends():
            if self.peek() in " \t":
                self.forward()
            elif self.peek() in "\r\n":
                breaks.append(self.scan_line_break())  # type: ignore[no-untyped-call]
            else:
                return breaks or [" "]
        return None

    def _document_ends(self) -> bool:
        return self.prefix(3) in {"---", "..."} and self.peek(3) in "\0 \t\r\n"

    def parse_block_mapping_key(self) -> object:
        """A key may be empty."""
        if self.check_token(yaml.ValueToken):
            self.state = self.parse_block_mapping_value
            return self.process_empty_scalar(self.peek_token().start_mark)  # type: ignore[no-untyped-call]
        return super().parse_block_mapping_key()  # type: ignore[no-untyped-call]

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Only mappings are merged; another value keeps its key."""
        for key, value in node.value:
            if key.tag == f"{_CORE}merge" and not _mergeable(value):
                key.tag = f"{_CORE}str"
        super().flatten_mapping(node)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Every key becomes a property name."""
        self.flatten_mapping(node)
        pairs = [
            (key_text(self.construct_object(key, deep=True)), value) for key, value in node.value
        ]
        return {key: self.construct_object(value, deep=deep) for key, value in pairs}

    def scalar(self, node: yaml.ScalarNode) -> object:
        """A scalar by its text; a tag of somebody else's makes it a string."""
        core = node.tag.startswith(_CORE) and node.tag != f"{_CORE}str"
        return _plain(node.value) if core and node.style is None else node.value

    def other(self, node: yaml.Node) -> object:
        """A node by its kind, whatever its tag."""
        if isinstance(node, yaml.ScalarNode):
            return self.scalar(node)
        if isinstance(node, yaml.SequenceNode):
            return self.construct_sequence(node, deep=True)
        assert isinstance(node, yaml.MappingNode)
        return self.construct_mapping(node, deep=True)


def _mergeable(node: yaml.Node) -> bool:
    if isinstance(node, yaml.SequenceNode):
        return all(isinstance(item, yaml.MappingNode) for item in node.value)
    return isinstance(node, yaml.MappingNode)


_Loader.yaml_implicit_resolvers = {}
_Loader.yaml_constructors = {
    f"{_CORE}map": yaml.SafeLoader.construct_yaml_map,
    f"{_CORE}seq": yaml.SafeLoader.construct_yaml_seq,
    None: _Loader.other,
}
_Loader.add_implicit_resolver(f"{_CORE}merge", re.compile(r"<<\Z"), ["<"])
_Loader.add_implicit_resolver(f"{_CORE}null", re.compile(r".*", re.DOTALL), None)
