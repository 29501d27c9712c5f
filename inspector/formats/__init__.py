"""What people already have, read an exchange at a time: HAR, flow files, exports, bodies.

    read          any file or folder, its format found by content
    har           HAR 1.2, damaged places passed over
    flows         mitmproxy's flow files
    export        Claude Code's raw-body export
    tap           claude-tap's compact traces
    bodies        plain bodies and JSONL
    frames        WebSocket messages as exchanges
    har_out, flows_out, lines_out, otel_out    the same formats written, and OpenTelemetry's
    jsonstream    JSON files of any size, a value at a time

Memory holds one exchange, never a file. Nothing here is redacted: the caller does that before it
writes.
"""

from inspector.formats.item import Body, Item, Read, Seen, Skipped
from inspector.formats.source import read, size

__all__ = ["Body", "Item", "Read", "Seen", "Skipped", "read", "size"]
