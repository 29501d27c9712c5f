"""When the tide turns."""

TABLE = {"high": "06:12", "low": "12:31"}


def next_high() -> str:
    return TABLE["high"]
