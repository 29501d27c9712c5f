"""Request bodies: one a file, or one a line, alone or as `{"request": …, "response": …}`.

A body is kept as the bytes of its file, or as the text its line holds, never written anew.
"""

import base64
from collections.abc import Iterator
from typing import BinaryIO

from inspector import wire
from inspector.formats.item import Body, Item, Read, Seen, Skipped
from inspector.formats.jsonstream import LARGEST, Damaged, Reader
from inspector.jsontext import Node, parse
from inspector.session import Headers

_PATHS = {"anthropic": "/v1/messages", "openai": "/v1/responses"}
"""Where a body of each dialect goes; the host is unknown."""
_BODY = ("body_raw", "body", "body_base64")
_ABOUT = frozenset({*_BODY, "headers", "method", "url", "path", "status", "status_code"})
_INPUT = frozenset({"message", "additional_tools"})
"""What the input of a Codex request begins with."""
_ENVELOPE = "the input alone: model, instructions and the rest of the request are not in the file"
_NO_REQUEST = "no model request"


def read(path: str, file: BinaryIO, seen: Seen) -> Iterator[Read]:
    """What a JSON file holds: a body, a list of them, or one a line."""
    whole = _whole(file)
    if whole is not None:
        found = _record(whole, path, "")
        yield found
        seen(len(whole))
        return
    file.seek(0)
    start = file.read(4).lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    file.seek(0)
    if start == b"[" and (alone := _input_alone(file)) is not None:
        yield alone
        return
    file.seek(0)
    yield from (_listed if start == b"[" else _lines)(path, file, seen)


def _whole(file: BinaryIO) -> bytes | None:
    """The file, if it is one JSON object and nothing else; a lone line loses its line end."""
    try:
        reader = Reader(file)
        if reader.peek() != ord("{"):
            return None
        reader.skip()
        alone = reader.peek() is None and reader.offset <= LARGEST
    except Damaged:
        return None
    if not alone:
        return None
    file.seek(0)
    data = file.read()
    if _parsed(data) is None:
        return None
    # Clients end no body with a line end; every writer of JSONL does.
    return data if b"\n" in data.rstrip() else data.rstrip(b"\r\n")


def _lines(path: str, file: BinaryIO, seen: Seen) -> Iterator[Read]:
    at = 0
    while line := file.readline(LARGEST):
        text = line.removeprefix(b"\xef\xbb\xbf").strip()
        if text:
            yield _record(text, path, f" at byte {at}")
        at += len(line)
        seen(at)


def _listed(path: str, file: BinaryIO, seen: Seen) -> Iterator[Read]:
    reader = Reader(file)
    try:
        for at in reader.items():
            data = reader.value()
            seen(reader.offset)
            yield _record(data, path, f" at byte {at}")
    except Damaged as damaged:
        yield Skipped(path, f"damaged at byte {damaged.at}: {damaged.reason}")


def _input_alone(file: BinaryIO) -> Item | None:
    """The input of a request to OpenAI, as `codex debug prompt-input` prints it [codex 0.171.0].

    The list stays as it is printed; around it stands as little as makes it a request.
    """
    first = next(_first(file), None)
    if first is None or first.string_of("role") is None or first.string_of("type") not in _INPUT:
        return None
    file.seek(0)
    data = file.read(LARGEST).strip()
    body = b'{"model":"","input":%s}' % data
    if wire.split(body).dialect is None:
        return None
    return Item("POST", _PATHS["openai"], _JSON, Body(body), error=_ENVELOPE)


def _first(file: BinaryIO) -> Iterator[Node]:
    """The first value of a list, if it is a list's."""
    reader = Reader(file)
    try:
        for _ in reader.items():
            node = _parsed(reader.value())
            if node is not None:
                yield node
    except Damaged:
        return


def _record(data: bytes, path: str, where: str) -> Read:
    node = _parsed(data)
    if node is None:
        return Skipped(path, f"damaged line{where}" if where else "damaged: no whole JSON document")
    asked = node.get("request")
    if asked is None or asked.kind not in {"object", "string"}:
        return _plain(data) or Skipped(path, _NO_REQUEST + where)
    return _pair(node, asked) or Skipped(path, _NO_REQUEST + where)


def _plain(data: bytes) -> Item | None:
    dialect = wire.split(data).dialect
    if dialect is None:
        return None
    return Item("POST", _PATHS[dialect.name], _JSON, Body(data))


def _pair(node: Node, asked: Node) -> Item | None:
    body = _body(asked)
    dialect = wire.split(body).dialect
    url = asked.string_of("url") or asked.string_of("path") if _is_about(asked) else None
    if dialect is None and url is None:
        return None
    response = node.get("response")
    status = _status(response)
    return Item(
        method=(asked.string_of("method") if _is_about(asked) else None) or "POST",
        url=url or _PATHS[dialect.name if dialect else "anthropic"],
        request_headers=_headers(asked) or _JSON,
        request=Body(body),
        status=status,
        response_headers=_headers(response) if response else (),
        response=Body(_body(response)) if response else Body(),
        started=_moment(node) or _moment(asked),
        error="" if response is not None and status is not None else "no response in the file",
    )


def _is_about(node: Node) -> bool:
    """Whether an object tells about a request or response, rather than being its body."""
    names = {member.name for member in node.members}
    return bool(names & _ABOUT) and not names & {"messages", "input", "content", "output"}


def _body(node: Node) -> bytes:
    if node.kind == "object" and _is_about(node):
        coded = node.string_of("body_base64")
        if coded is not None and (plain := _unpacked(coded)) is not None:
            return plain
        found = next(filter(None, map(node.get, _BODY)), None)
        return b"" if found is None or found.kind == "null" else _body(found)
    if node.kind == "string":
        return node.string.encode("utf-8", "surrogatepass")
    return node.raw


def _unpacked(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return None


def _status(node: Node | None) -> int | None:
    if node is None or node.kind == "null":
        return None
    if not _is_about(node):
        return 200
    found = node.get("status") or node.get("status_code")
    return int(found.text) if found and found.kind == "number" and found.text.isdigit() else 200


def _headers(node: Node) -> Headers:
    held = node.get("headers") if node.kind == "object" and _is_about(node) else None
    if held is None:
        return ()
    if held.kind == "object":
        return tuple(
            (member.name, member.value.string)
            for member in held.members
            if member.value.kind == "string"
        )
    pairs: list[tuple[str, str]] = []
    for item in held.items:
        strings = [value.string for value in item.items if value.kind == "string"]
        named = (item.string_of("name"), item.string_of("value"))
        if len(strings) == 2:
            pairs.append((strings[0], strings[1]))
        elif named[0] and named[1] is not None:
            pairs.append((named[0], named[1]))
    return tuple(pairs)


def _moment(node: Node) -> str:
    names = ("started", "timestamp", "time")
    return next(filter(None, map(node.string_of, names)), "") if node.kind == "object" else ""


def _parsed(data: bytes) -> Node | None:
    try:
        return parse(data.removeprefix(b"\xef\xbb\xbf"))
    except ValueError:
        return None


_JSON = (("content-type", "application/json"),)
