"""Frontmatter: where it ends, and how the client reads odd YAML."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inspector.clients.claude_code import core_yaml
from inspector.clients.claude_code.javascript import SPACE
from inspector.clients.claude_code.plain import mapping
from inspector.errors import yaml_reason
from inspector.text import Text

_FRONT = re.compile(rf"\A---[{SPACE}]*\n(.*?)---[{SPACE}]*\n?", re.DOTALL)
# JavaScript's dot stops at more line ends than Python's.
_LINE = re.compile(rf"([a-zA-Z_-]+):[{SPACE}]+([^{SPACE}][^\n\r\u2028\u2029]*)")
_SPECIAL = re.compile(r"[{}\[\]*&#!|>%@`]|: ")
_TABS = re.compile(r"^\t+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Document:
    """A markdown file: its frontmatter's values and the text after it."""

    values: Mapping[str, Any]
    body: Text
    problem: str = ""
    """What is wrong with the frontmatter, in words; empty when nothing is."""


def document(source: Text) -> Document:
    """Split a file; frontmatter that is not closed stays in the text."""
    match = _FRONT.match(str(source))
    if match is None:
        return Document({}, source)
    values, problem = _values(match[1])
    return Document(values, source[match.end() :], problem)


def _values(front: str) -> tuple[Mapping[str, Any], str]:
    try:
        return mapping(core_yaml.load(front)), ""
    except core_yaml.YAMLError as error:
        problem = yaml_reason(error, before=1)
    try:
        return mapping(core_yaml.load(_quoted(front))), problem
    except core_yaml.YAMLError:
        return {}, problem


def _quoted(front: str) -> str:
    """The client's second try: values with special characters are put in double quotes."""
    out: list[str] = []
    for line in front.split("\n"):
        match = _LINE.fullmatch(line)
        value = match[2] if match else ""
        if match is None or _stands(value) or not _SPECIAL.search(value):
            out.append(line)
            continue
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        out.append(f'{match[1]}: "{escaped}"')
    return _TABS.sub(lambda tabs: "  " * len(tabs[0]), "\n".join(out))


def _stands(value: str) -> bool:
    """Whether a value is quoted already, or a list that parses."""
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return True
    if not (value.startswith("[") and value.endswith("]")):
        return False
    try:
        return isinstance(core_yaml.load(value), list)
    except core_yaml.YAMLError:
        return False
