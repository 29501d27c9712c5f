"""Whether a schema is one by JSON Schema 2020-12, and the first fault as the client words it.

The client leaves out tools whose schema the API would refuse, and tells the model of it. Its
checker walks the vocabularies in the order below, deep first, and stops at the first fault
(Claude Code 2.1.332, `mcp_odd_tools`).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal, InvalidOperation

from inspector.jsontext import JSON, Number, dumps, escape

type Fault = tuple[str, str, str]
"""Where (a JSON pointer), the name of the sentence, and what stands in its hole."""
type Check = Callable[[str, JSON], Iterator[Fault]]

_TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
_ANCHOR = r"^[A-Za-z_][-A-Za-z0-9._]*$"


def fault(schema: JSON) -> Fault | None:
    """The first fault of a schema; None where it has none."""
    return next(_schema("", schema), None)


def _schema(path: str, value: JSON) -> Iterator[Fault]:
    if not isinstance(value, bool | dict):
        yield path, "type", "object,boolean"
        return
    if isinstance(value, dict):
        for name, check in _KEYWORDS:
            if name in value:
                yield from check(f"{path}/{escape(name)}", value[name])


def _kind(expected: str, *, of: Callable[[JSON], bool]) -> Check:
    def check(path: str, value: JSON) -> Iterator[Fault]:
        if not of(value):
            yield path, "type", expected

    return check


def _is_number(value: JSON) -> bool:
    return isinstance(value, Number)


def _amount(value: JSON) -> Decimal | None:
    try:
        return Decimal(value.text) if isinstance(value, Number) else None
    except InvalidOperation:
        return None


_text = _kind("string", of=lambda value: isinstance(value, str))
_yes_no = _kind("boolean", of=lambda value: isinstance(value, bool))
_number = _kind("number", of=_is_number)
_list = _kind("array", of=lambda value: isinstance(value, list))


def _like(pattern: str) -> Check:
    def check(path: str, value: JSON) -> Iterator[Fault]:
        yield from _text(path, value)
        if isinstance(value, str) and not re.search(pattern, value):
            yield path, "pattern", pattern

    return check


def _positive(path: str, value: JSON) -> Iterator[Fault]:
    yield from _number(path, value)
    amount = _amount(value)
    if amount is not None and amount <= 0:
        yield path, "above", "0"


def _count(path: str, value: JSON) -> Iterator[Fault]:
    amount = _amount(value)
    if amount is None or amount != amount.to_integral_value():
        yield path, "type", "integer"
    elif amount < 0:
        yield path, "least", "0"


def _each(inner: Check) -> Check:
    def check(path: str, value: JSON) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield path, "type", "object"
            return
        for name, entry in value.items():
            yield from inner(f"{path}/{escape(name)}", entry)

    return check


def _items(path: str, value: JSON, inner: Check) -> Iterator[Fault]:
    for index, entry in enumerate(value if isinstance(value, list) else ()):
        yield from inner(f"{path}/{index}", entry)


def _schemas(path: str, value: JSON) -> Iterator[Fault]:
    yield from _list(path, value)
    if value == []:
        yield path, "few", "1"
    yield from _items(path, value, _schema)


def _texts(path: str, value: JSON) -> Iterator[Fault]:
    yield from _list(path, value)
    yield from _items(path, value, _text)
    yield from _twice(path, value if isinstance(value, list) else ())


def _twice(path: str, value: Iterable[JSON]) -> Iterator[Fault]:
    """Two equal entries, found as the client's checker finds them: from the end."""
    written = [dumps(entry) for entry in value]
    for later in range(len(written) - 1, 0, -1):
        for earlier in range(later - 1, -1, -1):
            if written[later] == written[earlier]:
                yield path, "twice", f"{later} and {earlier}"
                return


def _type(path: str, value: JSON) -> Iterator[Fault]:
    named = isinstance(value, list) and value and all(entry in _TYPES for entry in value)
    if isinstance(value, list) and named:
        if next(_twice(path, value), None) is None:
            return
    elif value in _TYPES:
        return
    yield path, "one", ""


def _depends(path: str, value: JSON) -> Iterator[Fault]:
    whole = isinstance(value, list) and next(_texts(path, value), None) is None
    if not whole:
        yield from _schema(path, value)


_KEYWORDS: tuple[tuple[str, Check], ...] = (
    ("$id", _like("^[^#]*#?$")),
    ("$schema", _text),
    ("$ref", _text),
    ("$anchor", _like(_ANCHOR)),
    ("$dynamicRef", _text),
    ("$dynamicAnchor", _like(_ANCHOR)),
    ("$vocabulary", _each(_yes_no)),
    ("$comment", _text),
    ("$defs", _each(_schema)),
    ("prefixItems", _schemas),
    ("items", _schema),
    ("contains", _schema),
    ("additionalProperties", _schema),
    ("properties", _each(_schema)),
    ("patternProperties", _each(_schema)),
    ("dependentSchemas", _each(_schema)),
    ("propertyNames", _schema),
    ("if", _schema),
    ("then", _schema),
    ("else", _schema),
    ("allOf", _schemas),
    ("anyOf", _schemas),
    ("oneOf", _schemas),
    ("not", _schema),
    ("unevaluatedItems", _schema),
    ("unevaluatedProperties", _schema),
    ("type", _type),
    ("enum", _list),
    ("multipleOf", _positive),
    ("maximum", _number),
    ("exclusiveMaximum", _number),
    ("minimum", _number),
    ("exclusiveMinimum", _number),
    ("maxLength", _count),
    ("minLength", _count),
    ("pattern", _text),
    ("maxItems", _count),
    ("minItems", _count),
    ("uniqueItems", _yes_no),
    ("maxContains", _count),
    ("minContains", _count),
    ("maxProperties", _count),
    ("minProperties", _count),
    ("required", _texts),
    ("dependentRequired", _each(_texts)),
    ("title", _text),
    ("description", _text),
    ("deprecated", _yes_no),
    ("readOnly", _yes_no),
    ("writeOnly", _yes_no),
    ("examples", _list),
    ("format", _text),
    ("contentEncoding", _text),
    ("contentMediaType", _text),
    ("contentSchema", _schema),
    ("definitions", _each(_schema)),
    ("dependencies", _each(_depends)),
    ("$recursiveAnchor", _like(_ANCHOR)),
    ("$recursiveRef", _text),
)
"""Every keyword with what it asks of its value, in the order of the vocabularies."""


def members(schema: Mapping[str, JSON]) -> dict[str, JSON]:
    """The members that are checked: those that are null are passed over."""
    return {name: value for name, value in schema.items() if value is not None}
