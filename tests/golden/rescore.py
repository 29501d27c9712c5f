"""Write the score of all goldens to `score.json`: the ratchet that `test_goldens` holds us to.

usage: python -m tests.golden.rescore
"""

import json

from tests.golden.test_goldens import RATCHET, scored


def main() -> None:
    """Write the rows as they are now."""
    RATCHET.write_text(json.dumps(scored(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
