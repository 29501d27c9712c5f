"""The mutation law over all goldens, in one number.

usage: python -m tests.golden.law [NAME…]

NAME is a folder below `captures/`, such as claude-code/2.1.332/every_row; all of them without one.
"""

import argparse
import sys
from pathlib import Path

from inspector import named
from tests.golden import listing_law, mutation, workspace_law
from tests.golden.mutation import built
from tests.golden.scenario import ROOT


def main() -> int:
    """Hold every golden to the law, on both sides; 1 where a change went unnoticed."""
    parser = argparse.ArgumentParser(prog="law", description=__doc__)
    parser.add_argument("names", nargs="*", default=["."])
    captures, names = ROOT / "captures", parser.parse_args().names
    capture, workspace, listings = (mutation.Tally() for _ in range(3))
    for path in [path for name in names for path in named.recordings(captures / name)]:
        found = named.find(str(path), Path("unused"))
        report = named.verified(found, {})
        requests = [item for item in report.requests if built(item)]
        for request in requests:
            if request.built is not None:
                mutation.hold(request, capture)
        workspace_law.hold(found, requests, workspace)
        listing_law.hold(found, requests, listings)
    print(
        f"captures: {capture.percent:.2f} % of {capture.tried} changes noticed "
        f"({capture.masked} values masked, {capture.adopted} adopted, {capture.different} different)\n"
        f"workspaces: {workspace.percent:.2f} % of {workspace.tried} files as their origins say\n"
        f"listings: {listings.percent:.2f} % of {listings.tried} descriptions where they stand"
    )
    missed = (*capture.missed, *workspace.missed, *listings.missed)
    for line in missed:
        print(line)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
