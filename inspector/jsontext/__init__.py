"""JSON as text: spans into the bytes as sent, and the two encoders the clients have.

    strings      quoting and unquoting
    scan         tokens, and the check of whole documents
    node         a document as a tree of spans
    raw          one level of a document, by a parser in C
    quick        a document cut one level deep
    values       ordered values whose numbers stay text
    javascript   what JavaScript writes after parsing
    serde        what Rust's serde_json writes after parsing

Values are never Python floats, and nothing here recurses, so any depth of nesting is fine.
"""

from inspector.jsontext.javascript import javascript, javascript_number, javascript_order
from inspector.jsontext.node import Member, Node, parse
from inspector.jsontext.pointer import escape, pointer, tokens
from inspector.jsontext.quick import Span, items, spans
from inspector.jsontext.scan import check
from inspector.jsontext.serde import serde, serde_number
from inspector.jsontext.strings import escape_lone, paired, quote, unquote
from inspector.jsontext.values import JSON, Number, dumps, loads, read

__all__ = [
    "JSON",
    "Member",
    "Node",
    "Number",
    "Span",
    "check",
    "dumps",
    "escape",
    "escape_lone",
    "items",
    "javascript",
    "javascript_number",
    "javascript_order",
    "loads",
    "paired",
    "parse",
    "pointer",
    "quote",
    "read",
    "serde",
    "serde_number",
    "spans",
    "tokens",
    "unquote",
]
