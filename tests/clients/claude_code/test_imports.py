"""`@` imports; the expected lists are those of the client's own walk over `marked` tokens."""

import pytest

from inspector.clients.claude_code.imports import imported


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("@a.md and @./b.md\n", ["/w/a.md", "/w/b.md"]),
        ("**@bold.md** *@em.md*\n", ["/w/bold.md", "/w/em.md"]),
        ("# @head.md\n- @sub/c.md\n", ["/w/head.md", "/w/sub/c.md"]),
        ('`@code.md` (@no.md) [x](@y.md) text@x.md "@q.md"\n', []),
        ("@~/h.md @/abs.md#frag @../up.md\n", ["/home/h.md", "/abs.md", "/up.md"]),
        ("@sp\\ ace.md\n", ["/w/sp ace.md"]),
        ("@punct.md. @a.md @a.md\n", ["/w/punct.md.", "/w/a.md"]),
        ("    @indented.md\n\n```\n@fenced.md\n```\n", []),
        ("<!-- @cm.md -->\n\\@esc.md @@at.md\n", []),
        ('- @sub/c.md\n"q" <!-- @cm.md -->\n', ["/w/sub/c.md", "/w/cm.md"]),
    ],
)
def test_imports_are_found_where_the_client_finds_them(source: str, expected: list[str]) -> None:
    assert imported(source, "/w/CLAUDE.md", "/home") == expected
