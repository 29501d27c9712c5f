"""Request bodies split into segments: the smallest unit cached, compared, explained.

    dialect    what a wire format must say so that bodies can be split
    cut        a body cut into its top-level members, for those who need no segments
    chain      the segments of successive bodies, each kept once
    segment    one block, and the key that says what it means
    prompt     a body as segments in wire order, chained to the body before it
    split      from bytes to a prompt

`inspector.wire.split` is `split` with all known dialects at hand.
"""

from inspector.segments.cut import Cut
from inspector.segments.dialect import Dialect, Part, Walker
from inspector.segments.meaning import canonical
from inspector.segments.param import Param
from inspector.segments.prompt import Prompt
from inspector.segments.segment import Segment
from inspector.segments.split import split

__all__ = [
    "Cut",
    "Dialect",
    "Param",
    "Part",
    "Prompt",
    "Segment",
    "Walker",
    "canonical",
    "split",
]
