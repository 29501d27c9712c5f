"""Reads of odd files, as Claude Code 2.1.332 answered them (`tools_results` and probes)."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.clients.claude_code import readfile
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
