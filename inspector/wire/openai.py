"""The OpenAI Responses API: `instructions`, `tools`, `input`; also `response.create` frames.

Witness: bodies of Codex 0.171.0; fields it does not send are from the public API reference.
"""

from collections.abc import Iterator, Mapping

from inspector.jsontext import Node, quote
from inspector.jsontext.node import NodeKind
from inspector.segments import Dialect, Part, canonical
from inspector.wire.fields import Fields, names, unknown_in

_PARAMS = names(
    "type model stream tool_choice parallel_tool_calls reasoning store include prompt_cache_key"
    " text client_metadata service_tier previous_response_id generate max_output_tokens"
    " max_tool_calls"
    " metadata temperature top_p top_logprobs truncation user background conversation prompt"
    " prompt_cache_retention prompt_cache_options safety_identifier stream_options"
    " context_management"
)
# Embedding and moderation requests have `input` as well.
_FOREIGN = names("encoding_format dimensions messages voice response_format")
_LABELS = "internal_chat_message_metadata_passthrough"
_OUTPUT = names(f"type id call_id output status name {_LABELS}")
_ITEMS: Fields = {
    "message": names(f"type id role content status phase {_LABELS}"),
    "agent_message": names(f"type id author recipient content status {_LABELS}"),
    "additional_tools": names(f"type id role tools {_LABELS}"),
    "reasoning": names(f"type id summary content encrypted_content status {_LABELS}"),
    "function_call": names(f"type id call_id name arguments status namespace {_LABELS}"),
    "custom_tool_call": names(f"type id call_id name input status namespace {_LABELS}"),
    "function_call_output": _OUTPUT,
    "custom_tool_call_output": _OUTPUT,
    "tool_search_call": names(f"type id call_id status execution arguments {_LABELS}"),
    "tool_search_output": names(f"type id call_id status execution tools {_LABELS}"),
    "local_shell_call": names(f"type id call_id status action {_LABELS}"),
    "local_shell_call_output": _OUTPUT,
    "web_search_call": names(f"type id status action {_LABELS}"),
    "image_generation_call": None,
    "compaction": names(f"type id encrypted_content {_LABELS}"),
    "compaction_summary": names(f"type id encrypted_content {_LABELS}"),
    "compaction_trigger": names(f"type {_LABELS}"),
    "item_reference": names("type id"),
}
_PARTS: Fields = {
    "input_text": names("type text prompt_cache_breakpoint"),
    "output_text": names("type text annotations logprobs"),
    "input_image": names("type image_url detail file_id prompt_cache_breakpoint"),
    "input_file": names("type file_id filename file_data file_url detail prompt_cache_breakpoint"),
    "refusal": names("type refusal"),
    "encrypted_content": names("type encrypted_content"),
}
_TOOLS: Fields = {
    "function": names("type name description strict parameters defer_loading output_schema"),
    "custom": names("type name description format defer_loading"),
    "namespace": names("type name description tools"),
    # Tools the API runs itself: their settings are the API's business.
    **dict.fromkeys(
        (
            "web_search",
            "web_search_preview",
            "tool_search",
            "local_shell",
            "shell",
            "apply_patch",
            "image_generation",
            "file_search",
            "code_interpreter",
            "computer",
            "computer_use_preview",
            "mcp",
        )
    ),
}
_ROLE_OF_ITEM = {
    "function_call": "assistant",
    "custom_tool_call": "assistant",
    "local_shell_call": "assistant",
    "tool_search_call": "assistant",
    "web_search_call": "assistant",
    "image_generation_call": "assistant",
    "reasoning": "assistant",
    "function_call_output": "tool",
    "custom_tool_call_output": "tool",
    "local_shell_call_output": "tool",
    "tool_search_output": "tool",
}


def _claims(kinds: Mapping[str, NodeKind]) -> bool:
    return (
        kinds.get("input") in {"array", "string"}
        and kinds.get("model") == "string"
        and not _FOREIGN & kinds.keys()
    )


def _instructions(path: str, item: Node) -> Iterator[Part]:
    unknown = () if item.kind == "string" else (path,)
    yield Part(path, item, "system", "developer", unknown=unknown)


def _tool(path: str, item: Node) -> Iterator[Part]:
    yield from _nested(path, item, Part(path, item, "tools"))


def _item(path: str, item: Node) -> Iterator[Part]:
    if item.kind == "string":
        yield Part(path, item, "messages", "user", opens_message=True)
        return
    kind = item.string_of("type") or "message"
    unknown = unknown_in(path, item, _ITEMS, "message")
    role = item.string_of("role") or _ROLE_OF_ITEM.get(kind)
    section = "tools" if kind == "additional_tools" else "messages"
    whole = Part(path, item, section, role, True, unknown=unknown, label=_label(item, kind))
    child = {"message": "content", "agent_message": "content"}.get(kind, "tools")
    held = item.get(child)
    if child == "tools" and held is not None and held.kind == "array":
        yield from _nested(path, item, whole)
    elif held is not None and held.kind in {"array", "string"} and child == "content":
        yield from _contents(path, item, held, whole)
    else:
        yield whole


def _label(item: Node, kind: str) -> bytes:
    """The id that the client or the API made up for an item [codex 0.171.0, base]."""
    found = item.get("id") if kind != "item_reference" else None
    return b"" if found is None else found.raw


def _contents(path: str, item: Node, content: Node, whole: Part) -> Iterator[Part]:
    owner = _own(item, {"role", "content", "id"})
    unknown = whole.unknown
    if not content.items:
        here = f"{path}/content"
        yield Part(here, content, "messages", whole.role, True, owner, unknown, whole.label)
    for number, block in enumerate(content.items):
        here = f"{path}/content/{number}"
        unknown += unknown_in(here, block, _PARTS)
        label = b"" if number else whole.label
        yield Part(here, block, "messages", whole.role, not number, owner, unknown, label)
        unknown = ()


def _nested(path: str, item: Node, whole: Part) -> Iterator[Part]:
    """The tools below an item or a namespace, at any depth; one that holds none is one part."""
    opens, unknown, label = whole.opens_message, whole.unknown, whole.label
    stack = [(path, item, whole.owner)]
    while stack:
        here, node, owner = stack.pop()
        if here != path or not whole.opens_message:
            unknown += unknown_in(here, node, _TOOLS, "function")
        held = node.get("tools")
        if held is not None and held.items:
            owner += b"{" + _own(node, {"role", "tools", "id"}) + b"}"
            below = [(f"{here}/tools/{n}", tool, owner) for n, tool in enumerate(held.items)]
            stack.extend(reversed(below))
            continue
        yield Part(here, node, whole.section, whole.role, opens, owner, unknown, label)
        opens, unknown, label = False, (), b""


def _own(item: Node, but: set[str]) -> bytes:
    members = sorted(
        quote(member.name).encode() + b":" + canonical(member.value.raw)
        for member in item.members
        if member.name not in but and (member.name, member.value.raw) != ("type", b'"message"')
    )
    return b",".join(members)


DIALECT = Dialect(
    name="openai",
    claims=_claims,
    sections={"instructions": _instructions, "tools": _tool, "input": _item},
    params=_PARAMS,
    mark="prompt_cache_breakpoint",
    bare_types={None: "input_text", "assistant": "output_text"},
    nested={},
)
