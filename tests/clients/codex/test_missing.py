"""Why a rule or skill is not in Codex's request, or not wholly (reports R63 and R64)."""

from inspector.clients import Missing
from inspector.clients.codex import CLIENT
from inspector.workspace import Listing
from tests.clients.codex.stage import CUSTOM, HOME, WS, listing, profile, world

_MARK = {f"{WS}/.git/": ""}
_SKILL = "---\nname: {name}\ndescription: what {name} does\n---\nbody\n"


def missing(files: dict[str, str | bytes], *, config: str = CUSTOM, cwd: str = WS) -> list[Missing]:
    of = world({**_MARK, **files}, config=config, cwd=cwd)
    return list(CLIENT.missing(of, profile(of)))


def test_a_file_beyond_the_budget_says_byte_line_and_the_first_heading_lost() -> None:
    rules = "# Kept\nyes\n# Lost\nno\n"
    found = missing(
        {f"{WS}/AGENTS.md": "a" * 20, f"{WS}/sub/AGENTS.md": rules},
        config="project_doc_max_bytes = 33\n" + CUSTOM,
        cwd=f"{WS}/sub",
    )
    why = "cut after byte 13 (line 3) of 21: the budget ends there"
    # The heading that is cut in its middle is not lost: its beginning is sent.
    assert found == [Missing("rule", "AGENTS.md", f"{WS}/sub/AGENTS.md", why, code="cut", at=13)]
    lost = missing(
        {f"{WS}/AGENTS.md": "a" * 20, f"{WS}/sub/AGENTS.md": rules},
        config="project_doc_max_bytes = 31\n" + CUSTOM,
        cwd=f"{WS}/sub",
    )
    assert lost[0].words.endswith(
        "(line 3) of 21: the budget ends there; the first heading lost is “# Lost”"
    )


def test_a_cut_inside_a_character_counts_the_mark_that_stands_for_it() -> None:
    found = missing({f"{WS}/AGENTS.md": "é" * 5}, config="project_doc_max_bytes = 5\n" + CUSTOM)
    assert [item.at for item in found] == [3]


def test_an_override_hides_the_file_beside_it_in_the_project_and_at_home() -> None:
    names = ("AGENTS.override.md", "AGENTS.md")
    files = {f"{folder}/{name}": name for folder in (WS, f"{HOME}/.codex") for name in names}
    why = "AGENTS.override.md beside it is read in its place"
    assert missing({**files}) == [
        Missing("rule", "AGENTS.md", f"{HOME}/.codex/AGENTS.md", why, code="hidden"),
        Missing("rule", "AGENTS.md", f"{WS}/AGENTS.md", why, code="hidden"),
    ]


def test_a_blank_override_hides_the_file_beside_it_in_the_project_and_none_at_home() -> None:
    names = {"AGENTS.override.md": " \n", "AGENTS.md": "rules"}
    files = {
        f"{folder}/{name}": told
        for folder in (WS, f"{HOME}/.codex")
        for name, told in names.items()
    }
    why = "AGENTS.override.md beside it is read in its place"
    blank, override = "there is no text in it", "AGENTS.override.md"
    assert missing({**files}) == [
        Missing("rule", override, f"{HOME}/.codex/{override}", blank, code="empty"),
        Missing("rule", "AGENTS.md", f"{WS}/AGENTS.md", why, code="hidden"),
        Missing("rule", override, f"{WS}/{override}", blank, code="empty"),
    ]


def test_a_configuration_that_is_no_toml_says_where_and_that_nothing_starts() -> None:
    why = "no TOML: illegal character '\\n' (at line 1, column 11); the client does not start"
    path = f"{HOME}/.codex/config.toml"
    assert missing({}, config='model = "x\n[mcp') == [
        Missing("settings", "config.toml", path, why, code="no-toml")
    ]


def test_a_configuration_of_a_trusted_project_that_is_no_toml_says_so_too() -> None:
    path, untrusted = f"{WS}/.codex/config.toml", CUSTOM
    trusted = f'{CUSTOM}\n[projects."{WS}"]\ntrust_level = "trusted"\n'
    told = [
        [item.path for item in missing({path: 'model = "x'}, config=config)]
        for config in (untrusted, trusted)
    ]
    assert told == [[], [path]]


def test_skills_that_are_refused_or_switched_off_say_so() -> None:
    off = f"{WS}/.agents/skills/off/SKILL.md"
    bare = f"{WS}/.agents/skills/bare/SKILL.md"
    found = missing(
        {off: _SKILL.format(name="off"), bare: "# Title\n"},
        config=CUSTOM + f'\n[[skills.config]]\npath = "{off}"\nenabled = false\n',
    )
    reasons = {item.name: item.words for item in found}
    assert reasons["off"] == f"skills.config in {HOME}/.codex/config.toml switches it off"
    assert reasons["bare"].endswith("the client leaves this skill out")


def test_tools_that_the_configuration_filters_and_servers_nobody_starts_say_so() -> None:
    config = CUSTOM + '[mcp_servers.one]\ncommand = "x"\nenabled_tools = ["a", "b"]\n'
    config += 'disabled_tools = ["b"]\n'
    tools = [{"name": name, "inputSchema": {"type": "object"}} for name in ("a", "b", "c")]
    listings = (
        listing("one", *tools),
        listing("odd", {"name": "a", "inputSchema": []}),
        listing("two words", tools[0]),
        Listing(server="gone", state="failed", reason="it ended"),
    )
    of = world(_MARK, config='model = "my-own-model"\n' + config, listings=listings)
    found = [
        (item.kind, item.name, item.words, item.code) for item in CLIENT.missing(of, profile(of))
    ]
    broken = "one of its tools has a schema that is no object, so the client takes none of them"
    blank = "its name has a blank, and the client never starts such a server"
    assert found == [
        ("tool", "one/b", "mcp_servers.one.disabled_tools names it", "taken-away"),
        ("tool", "one/c", "mcp_servers.one.enabled_tools does not name it", "taken-away"),
        ("server", "odd", broken, "refused"),
        ("server", "two words", blank, "refused"),
        ("server", "gone", "no lists: it ended", "failed"),
    ]
    deferred = world(_MARK, config=config, listings=listings[:1])
    waiting = [item.name for item in CLIENT.missing(deferred, profile(deferred)) if item.waits]
    assert waiting == ["one/a"]
