import pytest

from inspector.learn.own import Own, Vocabulary, stolen

CLIENT = Vocabulary(
    ("Work on the main branch and read README.md first.", "Run tests in src/app.py.")
)


def own(*short: str, long: tuple[str, ...] = (), days: tuple[str, ...] = ()) -> Own:
    return Own(frozenset(long), frozenset(short), frozenset(days))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Commit to main.", ""),
        ("See README.md, and src too.", ""),
        ("Ask orla about it.", "orla"),
        ("orlando is far.", ""),
        ("Look into tide.py now.", "tide.py"),
        ("tide.pyx is another file.", ""),
        ("Look at ./tide.py:12 now.", "tide.py"),
    ],
)
def test_a_short_name_is_the_users_unless_the_client_says_it_too(text: str, word: str) -> None:
    users = own("main", "README.md", "src", "orla", "tide.py")
    assert stolen(text, [users, users], CLIENT, prose=True) == word


def test_a_short_name_that_not_all_sessions_have_cannot_be_in_what_all_of_them_show() -> None:
    assert stolen("Ask orla.", [own("orla"), own("bob")], CLIENT, prose=True) == ""


def test_a_long_line_or_a_path_of_one_session_is_enough() -> None:
    one = own(long=("/home/orla/tides", "the lantern is lit at dusk"))
    assert stolen("In /home/orla/tides/x.", [one, own()], CLIENT, prose=True) == "/home/orla/tides"
    said = "So the lantern\n  is lit at dusk."
    assert stolen(said, [own(), one], CLIENT, prose=True) == "the lantern is lit at dusk"


def test_a_day_counts_in_prose_and_not_in_a_name() -> None:
    users = own(days=("2026-11", "November 2026"))
    assert stolen("As of November 2026.", [users], CLIENT, prose=True) == "November 2026"
    assert stolen("gulls-2026-11-05", [users], CLIENT, prose=False) == ""
