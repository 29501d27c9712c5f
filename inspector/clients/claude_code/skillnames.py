"""Names of skills: which ones the client takes, and which it shows beside the folder's.

Witness: `skills_names`.
"""

import re

from inspector.clients.claude_code.javascript import units
from inspector.clients.claude_code.shown import shown
from inspector.clients.claude_code.unicode17 import category

LONGEST = 256
"""UTF-16 units of the longest name."""

_EDGES = re.compile(r"(?:^|:) | (?::|$)|^:|:$|  ")
_REFUSED = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029<>\ufffc]")


def nameable(name: str) -> bool:
    """Whether the client takes a skill of this name."""
    if not 0 < units(name) <= LONGEST or _REFUSED.search(name) or _EDGES.search(name):
        return False
    if shown(name) != name or category(name[0]).startswith("M"):
        return False
    return not any(char != " " and category(char) == "Zs" for char in name)


def word(name: str) -> bool:
    """Whether a name in frontmatter is one that may be shown beside the folder's."""
    return 0 < units(name) <= LONGEST and all(
        char in "_:.-" or category(char)[0] in "LMN" for char in name
    )
