"""What the Read tool says of a notebook."""

from collections.abc import Iterator
from typing import Any

from inspector.clients.claude_code.javascript import decode
from inspector.clients.claude_code.phrase import computed, phrase
from inspector.clients.claude_code.plain import items, mapping
from inspector.clients.claude_code.settings import parsed
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, Value, text


def content(profile: Profile, data: bytes, path: str) -> Value | None:
    """The cells as one text; None where an output is no plain text or the file is no notebook."""
    notebook = parsed(decode(data))
    if not isinstance(notebook.get("cells"), list):
        return None
    origin = Origin(Kind.FILE, path)
    language = mapping(mapping(notebook.get("metadata")).get("language_info")).get("name", "python")
    whole = EMPTY
    for number, found in enumerate(items(notebook["cells"])):
        cell = mapping(found)
        outputs = list(_outputs(cell))
        if None in outputs:
            return None
        whole += computed("\n", "cell") if number else EMPTY
        whole += _cell(profile, number, cell, str(language), origin)
        for output in outputs:
            whole += computed("\n\n", "output") + text(output or "", origin)
    # The client puts these two keys the other way round here (tools_results).
    return [{"text": whole, "type": "text"}]


def _cell(
    profile: Profile, number: int, cell: dict[str, Any], language: str, origin: Origin
) -> Text:
    kind = str(cell.get("cell_type"))
    head = EMPTY
    if kind != "code":
        head = phrase(profile, "notebook.kind", kind=text(kind, origin))
    elif language != "python":
        head = phrase(profile, "notebook.language", language=text(language, origin))
    ident = cell.get("id")
    name = text(ident, origin) if isinstance(ident, str) else computed(f"cell-{number}", "cell")
    source = text(_joined(cell.get("source")), origin)
    return phrase(profile, "notebook.cell", id=name, head=head, source=source)


def _outputs(cell: dict[str, Any]) -> Iterator[str | None]:
    if cell.get("cell_type") != "code":
        return
    for found in items(cell.get("outputs")):
        output = mapping(found)
        kind = output.get("output_type")
        if kind == "stream":
            yield _joined(output.get("text"))
        elif kind in {"execute_result", "display_data"} and set(mapping(output.get("data"))) == {
            "text/plain"
        }:
            yield _joined(mapping(output["data"])["text/plain"])
        else:
            yield None


def _joined(value: object) -> str:
    return value if isinstance(value, str) else "".join(str(part) for part in items(value))
