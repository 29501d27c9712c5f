"""What changed on the wire between two versions of a client, on one workspace.

Both versions' requests are built with their profiles; nothing is captured and nothing guessed.

Modules:
    making    the requests of one version, on one host
    labels    where a text stands, in words that hold for every version
    fact      one named fact
    told      what the texts say, and where
    facts     what a request shows of its client, as named facts
    rules     limits and behaviours that two profiles differ in
    rows      the facts of two versions held against each other
    document  what comes of it as JSON and Markdown
"""

from inspector.drift.document import Head, document, ends, numbers, tokens
from inspector.drift.document import markdown as lines
from inspector.drift.fact import Aspect, Fact, Subject
from inspector.drift.facts import Facts, facts
from inspector.drift.making import HOSTS, Material, conversation, example, profile_of
from inspector.drift.rows import Drift, Row, Sent, Size, compare, drift, merged

__all__ = [
    "HOSTS",
    "Aspect",
    "Drift",
    "Fact",
    "Facts",
    "Head",
    "Material",
    "Row",
    "Sent",
    "Size",
    "Subject",
    "compare",
    "conversation",
    "document",
    "drift",
    "ends",
    "example",
    "facts",
    "lines",
    "merged",
    "numbers",
    "profile_of",
    "tokens",
]
