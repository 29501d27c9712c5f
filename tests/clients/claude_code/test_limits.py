"""What the service says of an organisation's limits changes how many commands are counted."""

import re
from pathlib import Path

import pytest

from inspector.clients.claude_code import limits
from inspector.session import Exchange
from inspector.turns import Limited, Prompted
from tests.clients.claude_code.place import Place

_URL = "https://api.anthropic.com/api/claude_code/policy_limits"


def _got(url: str, status: int, said: bytes) -> Exchange:
    return Exchange("e", "s", 1, "GET", url, (), b"", b"", "", "", status, response=said)


@pytest.mark.parametrize(
    ("answers", "found"),
    [
        ([], []),
        ([(200, b'{"restrictions": {}}')], []),
        ([(200, b'{"data": []}')], [Limited()]),
        ([(200, b"no json")], [Limited()]),
        ([(503, b'{"restrictions": {}}')], [Limited()]),
        ([(503, b""), (200, b'{"restrictions": {}}')], []),
        (
            [(200, b'{"restrictions": {"allow_product_feedback": {"allowed": false}}}')],
            [Limited()],
        ),
        ([(200, b'{"restrictions": {"allow_product_feedback": {"allowed": true}}}')], []),
    ],
)
def test_an_answer_of_the_wanted_form_allows_feedback(
    answers: list[tuple[int, bytes]], found: list[Limited]
) -> None:
    asked = [_got(_URL, status, said) for status, said in answers]
    other = _got("https://api.anthropic.com/api/hello", 404, b"")
    assert limits.of_exchanges([other, *asked]) == found


def test_without_feedback_one_command_less_is_counted(tmp_path: Path) -> None:
    place = Place(tmp_path).write({})
    prompt = Prompted(text="/nothing")
    usual = str(place.body(place.begin(), prompt))
    fewer = str(place.body(place.begin(), Limited(), prompt))
    (count,) = re.findall(r"and (\d+) more", usual)
    assert re.findall(r"and (\d+) more", fewer) == [str(int(count) - 1)]
