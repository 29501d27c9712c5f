"""Frontmatter: where it ends, and how the client reads odd YAML."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from inspector.clients.claude_code.javascript import SPACE
from inspector.clients.claude_code.plain import mapping
from inspector.errors import yaml_reason
from inspector.text import Text

_FRONT = re.compile(rf"\A---[{SPACE}]*\n(.*?)---[{SPACE}]*\n?", re.DOTALL)
_LINE = re.compile(rf"^([a-zA-Z_-]+):[{SPACE}]+([^{SPACE}].*)$")
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
        return _mapping(_load(front)), ""
    except yaml.YAMLError as error:
        problem = yaml_reason(error, before=1)
    try:
        return _mapping(_load(_quoted(front))), problem
    except yaml.YAMLError:
        return {}, problem


def _quoted(front: str) -> str:
    """The client's second try: values with special characters are put in double quotes."""
    out: list[str] = []
    for line in front.split("\n"):
        match = _LINE.match(line)
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
        return isinstance(_load(value), list)
    except yaml.YAMLError:
        return False


def _mapping(value: object) -> Mapping[str, Any]:
    return {str(key): item for key, item in mapping(value).items()}


def _load(source: str) -> object:
    try:
        return yaml.load(source, Loader=_Core)  # noqa: S506 - a safe loader with fewer types
    except RecursionError:
        raise yaml.YAMLError("nested too deeply to be read") from None


class _Core(yaml.SafeLoader):
    """YAML 1.2's core schema: `yes`, `on` and dates are strings."""


_Core.yaml_implicit_resolvers = {}
for _tag, _expression, _first in (
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("int", r"^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$", "-+0123456789"),
    (
        "float",
        (
            r"^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
            r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$"
        ),
        "-+0123456789.",
    ),
    ("merge", r"^(?:<<)$", "<"),
):
    _Core.add_implicit_resolver(  # pyright: ignore[reportUnknownMemberType]
        f"tag:yaml.org,2002:{_tag}", re.compile(_expression), list(_first)
    )
