"""Reads of odd files, as Claude Code 2.1.332 answered them (`tools_results` and probes)."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.clients.claude_code import readfile, readlong
from inspector.jsontext import Number
from inspector.text import encode
from tests.clients.claude_code.place import Place

NOTEBOOK: dict[str, Any] = {
    "cells": [
        {
            "cell_type": "code",
            "source": ["print(1)\n", "x"],
            "outputs": [{"output_type": "stream", "text": ["1\n"]}],
        },
        {"cell_type": "markdown", "source": "# T"},
        {"cell_type": "code", "id": "abc", "source": "y", "outputs": []},
    ],
    "metadata": {"language_info": {"name": "python"}},
}


def _read(root: Path, name: str, data: bytes, **values: object) -> tuple[Any, bool] | None:
    place = Place(root).write({f"ws/{name}": data})
    made = readfile.read(place.profile(), place.world(), f"{place.cwd}/{name}", values)
    return None if made is None else (json.loads(encode(made.content).body), made.error)


def test_a_notebook_is_one_text_of_cells(tmp_path: Path) -> None:
    assert _read(tmp_path, "n.ipynb", json.dumps(NOTEBOOK).encode()) == (
        [
            {
                "text": '<cell id="cell-0">print(1)\nx</cell id="cell-0">\n\n1\n\n<cell id="cell-1">'
                '<cell_type>markdown</cell_type># T</cell id="cell-1">\n<cell id="abc">y</cell id="abc">',
                "type": "text",
            }
        ],
        False,
    )
    assert _read(tmp_path, "broken.ipynb", b"{") is None


def test_images_are_sent_as_they_are(tmp_path: Path) -> None:
    source = {"type": "base64", "data": "AQI=", "media_type": "image/png"}
    assert _read(tmp_path, "i.PNG", b"\x01\x02") == ([{"type": "image", "source": source}], False)


def test_binary_files_are_refused_by_their_extension(tmp_path: Path) -> None:
    refused = _read(tmp_path, "b.BIN", b"text")
    assert refused is not None
    assert refused[0].startswith(
        "<tool_use_error>This tool cannot read binary files. The file appears to be a binary .bin file."
    )
    assert refused[1]


@pytest.mark.parametrize(
    ("size", "shown"), [(300_000, "293KB"), (1_600_000, "1.5MB"), (1_000_000, "976.6KB")]
)
def test_a_big_file_is_refused_with_its_size(tmp_path: Path, size: int, shown: str) -> None:
    refused = _read(tmp_path, "big.txt", b"x" * size)
    assert refused is not None
    assert refused[0].startswith(f"File content ({shown}) exceeds maximum allowed size (256KB). ")
    assert refused[1]


def test_a_folder_cannot_be_read(tmp_path: Path) -> None:
    place = Place(tmp_path).write({})
    made = readfile.read(place.profile(), place.world(), place.cwd, {})
    assert made is not None
    assert str(made.content) == f"EISDIR: illegal operation on a directory, read '{place.cwd}'"


def _counted(root: Path, data: str, tokens: int, used: int = 0, **values: object) -> Any:
    place = Place(root, env={"CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS": "100"})
    place.write({"ws/long.txt": data})
    path = f"{place.cwd}/long.txt"
    return readfile.read(
        place.profile(), place.world(), path, values, readlong.Counted(tokens, used)
    )


def test_a_file_of_too_many_tokens_is_shown_up_to_a_line(tmp_path: Path) -> None:
    made = _counted(tmp_path, "some row\n" * 100, tokens=200)
    # 101 lines, 100 of 200 tokens, and of that 85 %.
    assert str(made.content).split("\n")[-1] == "42\tsome row"
    assert ": showing lines 1-42 of 101 total (200 tokens, cap 100). Call Read with" in str(
        made.said
    )


def test_a_line_of_too_many_tokens_is_cut(tmp_path: Path) -> None:
    made = _counted(tmp_path, "word " * 200, tokens=200)
    assert str(made.content) == "1\t" + "word " * 85
    assert ": showing the first 425 of 1000 characters (200 tokens, cap 100);" in str(made.said)


def test_a_part_of_too_many_tokens_is_refused(tmp_path: Path) -> None:
    limit = Number("50")
    made = _counted(tmp_path, "some row\n" * 100, tokens=200, limit=limit)
    assert made.error
    assert str(made.content).startswith("File content (200 tokens) exceeds maximum allowed tokens")


def test_what_the_context_has_no_room_for_is_not_offered_whole(tmp_path: Path) -> None:
    offers = [
        _counted(tmp_path, "some row\n" * 100, tokens, used).said.pieces
        for tokens, used in ((676_900, 0), (676_901, 0), (676_900, 2))
    ]
    names = [
        [piece.origin.name for piece in said if "read." in piece.origin.name] for said in offers
    ]
    assert [
        [name for name in found if name in {"read.anyway", "read.never"}] for found in names
    ] == [
        ["read.anyway"],
        ["read.never"],
        ["read.never"],
    ]


@pytest.mark.parametrize(
    ("name", "size", "asks"),
    [("a.txt", 101, False), ("a.txt", 102, True), ("a.json", 51, True), ("a.json", 50, False)],
)
def test_a_text_is_counted_from_a_quarter_of_the_limit(
    tmp_path: Path, name: str, size: int, asks: bool
) -> None:
    place = Place(tmp_path, env={"CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS": "100"})
    place.write({f"ws/{name}": "x" * size})
    found = readfile.counted(place.profile(), place.world(), f"{place.cwd}/{name}", {})
    assert (str(found) if found else None) == ("x" * size if asks else None)
