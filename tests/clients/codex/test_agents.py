"""AGENTS.md, with values from the real client (0.171.0)."""

from inspector.clients.codex import CLIENT
from inspector.clients.codex.agents import instructions
from inspector.text import Kind
from tests.clients.codex.stage import (
    CUSTOM,
    HOME,
    WS,
    configuration,
    first,
    items,
    profile,
    texts,
    world,
)

_MARK = {f"{WS}/.git/": ""}
_GLOBAL = f"{HOME}/.codex/AGENTS.md"


def _part(files: dict[str, str | bytes], *, config: str = CUSTOM, cwd: str = WS) -> str:
    of = world({**_MARK, **files}, config=config, cwd=cwd)
    use = profile(of)
    return str(instructions(of, configuration(of), use).wrapped(use))


def test_the_global_file_comes_first_trimmed_and_project_files_verbatim_root_first() -> None:
    found = _part(
        {
            _GLOBAL: "\n CANARYGLOBAL global \r\n\n",
            f"{WS}/AGENTS.md": "CANARYROOT root\n",
            f"{WS}/sub/AGENTS.md": "CANARYSUB sub\n",
            f"{WS}/sub/deep/AGENTS.md": "CANARYDEEP deep\n",
            f"{WS}/other/AGENTS.md": "not here\n",
        },
        cwd=f"{WS}/sub/deep",
    )
    assert found == (
        f"# AGENTS.md instructions for {WS}/sub/deep\n\n<INSTRUCTIONS>\nCANARYGLOBAL global\n\n"
        "--- project-doc ---\n\nCANARYROOT root\n\n\nCANARYSUB sub\n\n\nCANARYDEEP deep\n\n</INSTRUCTIONS>"
    )


def test_a_global_file_alone_names_no_directory() -> None:
    assert (
        _part({_GLOBAL: "G\n"}) == "# AGENTS.md instructions\n\n<INSTRUCTIONS>\nG\n</INSTRUCTIONS>"
    )


def test_blank_files_add_nothing_and_no_file_no_part() -> None:
    assert _part({f"{WS}/AGENTS.md": " \n\t\n"}) == ""
    assert _part({}) == ""


def test_without_a_marker_only_the_working_directory_counts() -> None:
    of = world({f"{WS}/AGENTS.md": "ROOT\n", f"{WS}/sub/AGENTS.md": "SUB\n"}, cwd=f"{WS}/sub")
    assert str(instructions(of, configuration(of), profile(of)).body) == "SUB\n"


def test_an_override_stands_in_and_fallback_names_come_last() -> None:
    config = CUSTOM + 'project_doc_fallback_filenames = ["RULES.md"]\n'
    files: dict[str, str | bytes] = {
        f"{WS}/AGENTS.override.md": "override\n",
        f"{WS}/AGENTS.md": "plain\n",
        f"{WS}/sub/RULES.md": "fallback\n",
    }
    found = _part(files, config=config, cwd=f"{WS}/sub")
    assert "override\n\n\nfallback\n" in found
    assert "plain" not in found


def test_the_budget_cuts_by_bytes_also_inside_a_character() -> None:
    # Witness: `proj\xff\xfeb € €` under ten bytes ended in one replacement character.
    config = CUSTOM + "project_doc_max_bytes = 10\n"
    found = _part({f"{WS}/AGENTS.md": b"proj\xff\xfeb \xe2\x82\xac\n"}, config=config)
    assert found.endswith("<INSTRUCTIONS>\nproj\ufffd\ufffdb \ufffd\n</INSTRUCTIONS>")


def test_a_budget_of_nothing_keeps_the_global_file() -> None:
    config = CUSTOM + "project_doc_max_bytes = 0\n"
    files: dict[str, str | bytes] = {_GLOBAL: "G", f"{WS}/AGENTS.md": "P"}
    assert (
        _part(files, config=config)
        == "# AGENTS.md instructions\n\n<INSTRUCTIONS>\nG\n</INSTRUCTIONS>"
    )


def test_carriage_returns_and_a_byte_order_mark_stay() -> None:
    assert "\n\ufeffa\r\nb\r\n\n</" in _part({f"{WS}/AGENTS.md": "\ufeffa\r\nb\r\n"})


def test_every_character_of_a_file_keeps_its_origin() -> None:
    of = world({**_MARK, f"{WS}/AGENTS.md": "one\ntwo\n"})
    body = instructions(of, configuration(of), profile(of)).body
    assert [(p.text, p.origin.kind, p.origin.name, p.at) for p in body.pieces] == [
        ("one\ntwo\n", Kind.FILE, f"{WS}/AGENTS.md", 0)
    ]


def test_the_part_stands_before_the_environment_in_one_user_message() -> None:
    built = first(world({**_MARK, f"{WS}/AGENTS.md": "rule\n"}))
    context = items(built)[5]
    assert context["role"] == "user"
    assert [text.split("\n")[0] for text in texts(context)] == [
        f"# AGENTS.md instructions for {WS}",
        "<environment_context>",
    ]


def test_a_file_that_is_not_told_whole_is_a_fault() -> None:
    of = world(
        {f"{WS}/.git/HEAD": "", f"{WS}/AGENTS.md": "a" * 30, f"{WS}/sub/AGENTS.md": b"b\xff" * 5},
        config="project_doc_max_bytes = 32\n" + CUSTOM,
        cwd=f"{WS}/sub",
    )
    assert CLIENT.faults(of) == (
        f"{WS}/sub/AGENTS.md: it has 10 bytes and 2 of the bytes for such files are left; "
        "the client leaves out the rest",
        f"{WS}/sub/AGENTS.md: not readable as UTF-8; the client puts U+FFFD for what is not",
    )
