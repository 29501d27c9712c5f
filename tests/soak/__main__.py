"""Long runs: `python -m tests.soak kill|fuzz|replays [--rounds N]`; prints the numbers."""

import argparse
import json
import time

from tests.soak import fuzz, kill, replays

ROUNDS = {"kill": 1000, "fuzz": 10_000, "replays": 200}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("run", choices=sorted(ROUNDS))
    parser.add_argument("--rounds", type=int)
    asked = parser.parse_args()
    start = time.monotonic()
    soaks = {"kill": kill.soak, "fuzz": fuzz.soak, "replays": replays.soak}
    numbers = soaks[asked.run](asked.rounds or ROUNDS[asked.run])
    print(json.dumps({**numbers, "seconds": round(time.monotonic() - start)}))


if __name__ == "__main__":
    main()
