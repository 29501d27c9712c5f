"""Skills: folders, order, the listing and its budget, with values from the real client (0.171.0)."""

import hashlib

from inspector.clients.codex import CLIENT, listing, mentions, skills
from inspector.text import Text
from inspector.workspace import World
from tests.clients.codex.stage import (
    CUSTOM,
    HOME,
    WS,
    configuration,
    first,
    items,
    profile,
    skill,
    texts,
    world,
)

_GIT = {f"{WS}/.git/": ""}
_BARE = CUSTOM + "[skills.bundled]\nenabled = false\n"
_EVERYWHERE = {
    **_GIT,
    f"{WS}/.agents/skills/alpha/SKILL.md": skill("alpha", "A"),
    f"{WS}/.codex/skills/beta/SKILL.md": skill("beta", "not listed from a parent"),
    f"{WS}/sub/.agents/skills/gamma/SKILL.md": skill("gamma", "G"),
    f"{WS}/sub/.codex/skills/delta/SKILL.md": skill("delta", "D"),
    f"{WS}/.agents/skills/group/nested/SKILL.md": skill("nested", "N"),
    f"{HOME}/.agents/skills/epsilon/SKILL.md": skill("epsilon", "E"),
    f"{HOME}/.codex/skills/zeta/SKILL.md": skill("zeta", "Z"),
}


def _block(of: World) -> Text:
    use, config = profile(of), configuration(of)
    found = skills.found(of, config, use)
    return listing.block(found, skills.roots(of, config, use), use)


def _lines(of: World) -> list[str]:
    return str(_block(of)).partition("### Available skills\n")[2].split("\n")[:-1]


def test_roots_are_numbered_in_the_clients_order_and_repository_skills_stand_before_the_users() -> (
    None
):
    of = world(_EVERYWHERE, config=_BARE, cwd=f"{WS}/sub")
    block = str(_block(of))
    assert block.partition("### Skill roots\n")[2] == (
        f"- `r0` = `{WS}/sub/.codex/skills`\n"
        f"- `r1` = `{HOME}/.codex/skills`\n"
        f"- `r2` = `{HOME}/.agents/skills`\n"
        f"- `r3` = `{WS}/.agents/skills`\n"
        f"- `r4` = `{WS}/sub/.agents/skills`\n"
        "### Available skills\n"
        "- alpha: A (file: r3/alpha/SKILL.md)\n"
        "- delta: D (file: r0/delta/SKILL.md)\n"
        "- gamma: G (file: r4/gamma/SKILL.md)\n"
        "- nested: N (file: r3/group/nested/SKILL.md)\n"
        "- epsilon: E (file: r2/epsilon/SKILL.md)\n"
        "- zeta: Z (file: r1/zeta/SKILL.md)\n"
        "</skills_instructions>"
    )


def test_bundled_skills_are_facts_of_the_version_and_stand_first() -> None:
    lines = _lines(world(_EVERYWHERE))
    assert [line.split(":")[0] for line in lines[:4]] == [
        "- imagegen", "- openai-docs", "- skill-creator", "- skill-installer",
    ]  # fmt: skip
    assert lines[3].endswith("private repos). (file: r3/skill-installer/SKILL.md)")


def test_a_skill_can_be_switched_off_by_path() -> None:
    path = f"{WS}/.agents/skills/alpha/SKILL.md"
    config = f'{_BARE}[[skills.config]]\npath = "{path}"\nenabled = false\n'
    assert not any("alpha" in line for line in _lines(world(_EVERYWHERE, config=config)))


def test_depth_six_is_searched_and_seven_is_not_nor_are_hidden_folders() -> None:
    root = f"{WS}/.agents/skills"
    files = {
        **_GIT,
        f"{root}/a/b/c/d/e/f/SKILL.md": skill("six", "d"),
        f"{root}/a/b/c/d/e/f/g/SKILL.md": skill("seven", "d"),
        f"{root}/.hidden/SKILL.md": skill("hidden", "d"),
        f"{root}/lower/skill.md": skill("lower", "d"),
        f"{root}/noname/SKILL.md": "---\ndescription: d\n---\n",
        f"{root}/long/SKILL.md": skill("n" * 65, "d"),
    }
    assert _lines(world(files, config=_BARE)) == [
        "- noname: d (file: r0/noname/SKILL.md)",
        "- six: d (file: r0/a/b/c/d/e/f/SKILL.md)",
    ]


def test_a_description_over_the_limit_ends_in_three_dots() -> None:
    for size, expected in ((1024, "x" * 1024), (1025, "x" * 1021 + "...")):
        files = {**_GIT, f"{WS}/.agents/skills/s/SKILL.md": skill("s", "x" * size)}
        assert _lines(world(files, config=_BARE)) == [f"- s: {expected} (file: r0/s/SKILL.md)"]


def test_descriptions_over_the_budget_are_shortened_as_the_client_shortens_them() -> None:
    # Witness: these sixty skills with gpt-6-sol (272,000 tokens), all lines of the block hashed.
    files = {
        f"{WS}/.agents/skills/s{i:02d}/SKILL.md": skill(
            f"s{i:02d}", f"word{i} żółw " * (i % 23 + 30), ""
        )
        for i in range(60)
    }
    config = f'model = "gpt-6-sol"\n{_BARE}'
    lines = _lines(world({**_GIT, **files}, config=config))
    assert (len(lines), {len(line) for line in lines[:8]}) == (60, {295})
    assert hashlib.sha256("\n".join(lines).encode()).hexdigest() == (
        "68fd08f676356c92dc6c1eb5bb01890cc1cb6a178bfa7d1191d673b69c3f9a6f"
    )


def test_mentions_bring_in_bodies_in_listing_order_once_each() -> None:
    of = world(
        {
            **_GIT,
            f"{WS}/.agents/skills/alpha/SKILL.md": skill("alpha", "A", "ALPHA\n"),
            f"{WS}/.codex/skills/beta/SKILL.md": skill("beta", "B", "BETA\n"),
        }
    )
    sent = items(first(of, "please $beta then $alpha and $nosuch and $alpha again"))[7:]
    assert [texts(item) for item in sent] == [
        [f"<skill>\n<name>{name}</name>\n<path>{path}</path>\n{skill(name, word, body)}\n</skill>"]
        for name, path, word, body in (
            ("alpha", f"{WS}/.agents/skills/alpha/SKILL.md", "A", "ALPHA\n"),
            ("beta", f"{WS}/.codex/skills/beta/SKILL.md", "B", "BETA\n"),
        )
    ]


def test_ambiguous_names_and_variables_bring_in_nothing_but_a_path_does() -> None:
    other = f"{HOME}/.agents/skills/alpha/SKILL.md"
    files = {
        **_GIT,
        f"{WS}/.agents/skills/alpha/SKILL.md": skill("alpha", "A"),
        other: skill("alpha", "A2"),
        f"{WS}/.agents/skills/home/SKILL.md": skill("HOME", "H"),
    }
    of = world(files, config=_BARE)
    use, config = profile(of), configuration(of)
    found = skills.found(of, config, use)

    def paths(prompt: str) -> list[str]:
        return [one.path for one in mentions.mentioned(prompt, found, use)]

    assert paths("use $alpha in $HOME") == []
    assert paths(f"use [$alpha](skill://{other})") == [other]


def test_refused_skills_are_named_with_their_reason() -> None:
    root = f"{WS}/.agents/skills"
    files: dict[str, str | bytes] = {
        **_GIT,
        f"{root}/fine/SKILL.md": skill("fine", "d"),
        f"{root}/bare/SKILL.md": "no head\n",
        f"{root}/anchor/SKILL.md": skill("anchor", "*star"),
        f"{root}/empty/SKILL.md": "---\nname: empty\n---\n",
        f"{root}/long/SKILL.md": skill("n" * 65, "d"),
        f"{root}/bytes/SKILL.md": b"---\nname: \xff\ndescription: d\n---\n",
    }
    assert CLIENT.faults(world(files)) == tuple(
        f"{root}/{name}/SKILL.md: {reason}; the client leaves this skill out"
        for name, reason in (
            (
                "anchor",
                "its front matter is no YAML the client can read (line 3: found undefined alias"
                " 'star')",
            ),
            ("bare", "no front matter between two lines of ---"),
            ("bytes", "not readable as UTF-8"),
            ("empty", "no description"),
            ("long", "its name is over 64 characters"),
        )
    )


def test_a_skill_whose_folder_is_no_utf_8_is_left_out_and_said() -> None:
    root = f"{WS}/.agents/skills"
    of = world({**_GIT, f"{root}/n\udcff/SKILL.md": skill("odd", "d")}, config=_BARE)
    assert [str(one.name) for one in skills.found(of, configuration(of), profile(of))] == []
    assert CLIENT.faults(of) == (
        f"'{root}/n\\udcff': its name is no UTF-8; the client leaves this skill out",
    )
