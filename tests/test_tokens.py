import json
from dataclasses import replace
from pathlib import Path

import pytest

from inspector import folder
from inspector.diff import Rate, calibrated
from tests import made
from tests.commands import Run


def test_tokens_are_rounded_up_at_the_rule_of_thumb() -> None:
    assert [Rate().tokens(size) for size in (0, 1, 4, 5)] == [0, 1, 1, 2]
    assert Rate().words == "tokens: estimated at 4 bytes each"


@pytest.mark.parametrize(
    ("counts", "rate"),
    [
        ([], Rate()),
        ([(3000, 1000), (3200, 1000)], Rate(3.1, 2)),
        ([(60_000, 10), (100, 0), (3000, 1000)], Rate(3.0, 1)),
    ],
)
def test_the_apis_counts_make_the_rate_where_they_are_likely(
    counts: list[tuple[int, int]], rate: Rate
) -> None:
    assert calibrated(counts) == rate


def test_diff_and_explain_say_what_their_estimates_rest_on(run: Run, tmp_path: Path) -> None:
    recorded = made.recording(tmp_path)
    counted = tuple(
        replace(item, response=_counted(item.response, len(item.request) // 3))
        for item in recorded.exchanges
    )
    folder.write(replace(recorded, exchanges=counted), tmp_path / "rec")
    # A token is a third of a request, rounded: how long the paths in it are shows in the rate.
    sizes = [len(item.request) for item in recorded.exchanges]
    rate = sum(sizes) / sum(size // 3 for size in sizes)
    _, out, _ = run("diff", f"{tmp_path / 'rec'}:m1", f"{tmp_path / 'rec'}:m2", "--json")
    found = json.loads(out)
    assert found["tokens"] == {"bytes_per_token": 3.0, "calibrated_by_requests": len(counted)}
    first = found["changes"][0]
    assert first["tokens_estimate"] == pytest.approx(first["bytes"] / rate, abs=1)
    _, out, _ = run("explain", str(tmp_path / "rec"))
    lines = out.splitlines()
    told = f"as the API counted {len(counted)} requests of this session"
    assert f"tokens: estimated at 3.00 bytes each, {told}" in lines
    _, out, _ = run("explain", str(tmp_path / "rec"), "--json")
    totals = json.loads(out)["totals"]
    assert [one["tokens_estimate"] for one in totals] == [
        pytest.approx(one["chars"] / rate, abs=1) for one in totals
    ]


def _counted(response: bytes, tokens: int) -> bytes:
    """The response with this count of tokens."""
    changed = response.replace(b'"input_tokens":100', b'"input_tokens":%d' % tokens)
    assert changed != response
    return changed
