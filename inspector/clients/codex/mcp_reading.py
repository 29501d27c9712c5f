"""Reading an MCP server's answer back from the client's frame, where no server's log has it."""

import re
from collections.abc import Sequence

from inspector.clients.codex import templates
from inspector.clients.codex.loose import Json, compact, word
from inspector.jsontext import JSON, dumps, loads
from inspector.profiles import Profile
from inspector.turns import Answered, Printed

_ADDRESS = re.compile("data:([^;,]*);base64,(.*)", re.DOTALL)
_ESCAPED = re.compile(r'(?:[^"\\]|\\.)*\\?', re.DOTALL)
"""The inside of a JSON string, perhaps cut in an escape: one text and not the next block."""
_EVEN = 8
"""Most bytes by which the two ends of a cut text differ."""


def read(parts: Sequence[Json], profile: Profile, logged: str | None) -> Answered | None:
    """The answer to a call of the tool itself; the log's result wins over what the parts say."""
    heading = templates.holes(profile.literals["output.mcp"], _words(parts[0]) if parts else "")
    if heading is None:
        return None
    seconds = heading["seconds"]
    if logged is not None:
        return Answered(result=logged, seconds=seconds)
    blocks: list[JSON] = []
    rest = list(parts[1:])
    while rest:
        cut = _cut(_words(rest[0]), profile)
        if cut is not None:
            omitted = _omitted(rest[1:], profile)
            result = dumps({"content": blocks})
            if omitted is None:
                return None
            return Answered(result=result, seconds=seconds, cut=cut, omitted=omitted)
        block = _block(rest.pop(0))
        if block is None:
            return None
        blocks.append(block)
    error = _failure(blocks, profile)
    return Answered(result=error or dumps({"content": blocks}), seconds=seconds)


def structured(output: str, profile: Profile, logged: str | None) -> Answered | None:
    """An answer with structured content, which the client sends in place of the blocks."""
    found = templates.holes(profile.literals["output.mcp.structured"], output)
    if found is None:
        return None
    try:
        loads(found["output"])
    except ValueError:
        return None
    spelled = f'{{"content":[],"structuredContent":{found["output"]}}}'
    return Answered(result=logged or spelled, seconds=found["seconds"])


def whole(output: str, profile: Profile, logged: str | None) -> Answered | None:
    """An answer in older versions: the JSON of its blocks, or of its structured content."""
    if logged is not None:
        return Answered(result=logged)
    try:
        said = loads(output)
    except ValueError:
        return None
    error = _failure(said, profile) if isinstance(said, list) else None
    if error is not None:
        return Answered(result=error)
    key = '"content":' if isinstance(said, list) else '"content":[],"structuredContent":'
    return Answered(result=f"{{{key}{output}}}")


def pictured(parts: Sequence[Json], logged: str | None) -> Answered | None:
    """An answer with an image, which older versions send in parts."""
    blocks = [_block(part) for part in parts]
    found = None if None in blocks else dumps({"content": blocks})
    return None if found is None else Answered(result=logged or found)


def value(words: str, profile: Profile, logged: str | None) -> Answered | None:
    """An answer as a script prints it."""
    if logged is not None:
        return Answered(result=logged)
    cut = _cut_value(words, profile)
    if cut is not None:
        return Answered(result='{"content":[]}', cut=cut)
    try:
        spelled = loads(words)
    except ValueError:
        return None
    content = spelled.get("content") if isinstance(spelled, dict) else None
    if not isinstance(content, list) or _cut(words, profile) is not None:
        return None
    return Answered(result=_failure(content, profile) or words)


def _cut_value(words: str, profile: Profile) -> Printed | None:
    """The one text of an answer whose middle a script left out, still escaped."""
    found = templates.start(profile.literals["output.warning"], words)
    if found is None:
        return None
    facts = templates.holes(profile.literals["output.mcp.value"], found[1])
    if facts is None:
        return None
    cut = templates.search(profile.literals["output.mark"], facts["output"])
    if cut is None or not _ESCAPED.fullmatch(cut[0]):
        return None
    # The cut may have gone through an escape.
    if not (_ESCAPED.fullmatch(cut[2]) or _ESCAPED.fullmatch(cut[2][1:])):
        return None
    return Printed(text=cut[0], rest=cut[2], tokens=int(found[0]["count"]))


def _words(part: Json) -> str:
    """The text of a part that is a text and nothing else; empty for any other."""
    plain = set(part) == {"type", "text"} and part["type"] == "input_text"
    return word(part["text"]) if plain else ""


def _block(part: Json) -> JSON:
    if _words(part):
        return {"type": "text", "text": _words(part)}
    if set(part) - {"detail"} == {"type", "image_url"} and part["type"] == "input_image":
        found = _ADDRESS.fullmatch(word(part["image_url"]))
        return found and {"type": "image", "data": found[2], "mimeType": found[1]}
    return None


def _cut(words: str, profile: Profile) -> Printed | None:
    found = templates.search(profile.literals["output.mark"], words)
    if found is None:
        return None
    head, holes, tail = found
    even = abs(len(head.encode()) - len(tail.encode())) <= _EVEN
    return Printed(text=head, rest=tail, tokens=int(holes["gone"])) if even else None


def _omitted(parts: Sequence[Json], profile: Profile) -> int | None:
    """How many texts were left out after a cut one; None where something else follows."""
    if not parts:
        return 0
    found = templates.holes(profile.literals["output.omitted"], _words(parts[0]))
    return int(found["count"]) if found is not None and len(parts) == 1 else None


def _failure(blocks: Sequence[JSON], profile: Profile) -> str | None:
    """The error that the client's words about a failed call tell."""
    only = blocks[0] if len(blocks) == 1 else None
    said = only.get("text") if isinstance(only, dict) else None
    literals = profile.literals
    found = templates.holes(literals["output.mcp.failed"], said if isinstance(said, str) else "")
    if found is None:
        return None
    if found["cause"] == literals["output.mcp.unexpected"]:
        return '{"content":[null]}'
    error = templates.holes(literals["output.mcp.error"], found["cause"])
    if error is None:
        return None
    message, data = error["message"], ""
    split = re.fullmatch(r"(.*?)\(((?:\{|\[|\").*)\)", message, re.DOTALL)
    if split is not None and _is_json(split[2]):
        message, data = split[1], f',"data":{split[2]}'
    return f'{{"error":{{"code":{error["code"]},"message":{compact(message)}{data}}}}}'


def _is_json(string: str) -> bool:
    try:
        loads(string)
    except ValueError:
        return False
    return True
