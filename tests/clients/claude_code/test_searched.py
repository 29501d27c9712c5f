"""What Glob and Grep answer: what they found is told apart from the client's words."""

import pytest

from inspector import profiles
from inspector.clients.claude_code import searched
from inspector.profiles import Profile
from inspector.turns import Called, Searched

PAGED = "\n\n[Showing results with pagination = "


@pytest.fixture(scope="module")
def profile() -> Profile:
    return profiles.resolve(profiles.find("claude-code", "2.1.332"), {})


@pytest.mark.parametrize(
    ("call", "said", "found"),
    [
        ("Glob {}", "No files found", Searched()),
        ("Glob {}", "a\nb", Searched(found="a\nb")),
        (
            "Glob {}",
            "a\n(Showing 1 of 3 matching files; 2 more are not listed. Narrow the pattern or path to "
            "see the rest.)",
            Searched(found="a", total="3"),
        ),
        ("Grep {}", "Found 1 file\na", Searched(found="a")),
        (
            'Grep {"head_limit":2}',
            "Found 2 files limit: 2\na\nb",
            Searched(found="a\nb", more=True),
        ),
        (
            'Grep {"offset":9}',
            "No entries at this offset. [Showing results with pagination = offset: 9]",
            Searched(beyond=True),
        ),
        ('Grep {"output_mode":"content"}', "a:1:x", Searched(found="a:1:x")),
        ('Grep {"output_mode":"content"}', f"x{PAGED}limit: 250]", Searched(found="x", more=True)),
        (
            'Grep {"output_mode":"count"}',
            "a:1\n\nFound 1 total occurrence across 1 file.",
            Searched(found="a:1"),
        ),
        (
            'Grep {"output_mode":"count","head_limit":1}',
            "a:1\n\nFound 7 total occurrences across 5 files. with pagination = limit: 1",
            Searched(found="a:1", more=True, total="7", files="5"),
        ),
        ("Grep {}", "Found 3 files\na", None),
    ],
)
def test_an_answer_is_read_and_made_again(
    profile: Profile, call: str, said: str, found: Searched | None
) -> None:
    name, _, given = call.partition(" ")
    asked = Called(id="toolu_1", name=name, input=given)
    read = searched.read(profile, asked, said)
    assert read == found
    if read is not None:
        assert str(searched.answer(profile, asked, read)) == said
