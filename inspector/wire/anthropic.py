"""The Anthropic Messages API: `tools`, `system`, `messages`.

Witness: bodies of Claude Code 2.1.332; fields it does not send are from the public API reference.
"""

from collections.abc import Iterator, Mapping

from inspector.jsontext import Node, quote
from inspector.jsontext.node import NodeKind
from inspector.segments import Dialect, Part, canonical
from inspector.wire.fields import Fields, beyond, names, unknown_in

_PARAMS = names(
    "model max_tokens metadata stop_sequences stream temperature top_k top_p thinking tool_choice"
    " service_tier container mcp_servers context_management output_config output_format"
    " inference_geo diagnostics cache_control speed betas anthropic_beta anthropic_version"
)
# Members of OpenAI's Chat Completions, which has `messages` as well.
_FOREIGN = names(
    "max_completion_tokens frequency_penalty presence_penalty logit_bias logprobs top_logprobs n"
    " response_format seed functions function_call parallel_tool_calls stream_options"
)
_MESSAGE = names("role content output_config clear_at")
_RESULT = names("type tool_use_id content is_error cache_control")
_BLOCKS: Fields = {
    "text": names("type text cache_control citations"),
    "image": names("type source cache_control"),
    "document": names("type source title context citations cache_control"),
    "search_result": names("type source title content citations cache_control"),
    "thinking": names("type thinking signature"),
    "redacted_thinking": names("type data"),
    "tool_use": names("type id name input cache_control caller"),
    "tool_result": _RESULT,
    "tool_reference": names("type tool_name cache_control"),
    "server_tool_use": names("type id name input cache_control caller"),
    "web_search_tool_result": _RESULT,
    "web_fetch_tool_result": _RESULT,
    "code_execution_tool_result": _RESULT,
    "bash_code_execution_tool_result": _RESULT,
    "text_editor_code_execution_tool_result": _RESULT,
    "tool_search_tool_result": _RESULT,
    "mcp_tool_use": names("type id name server_name input cache_control"),
    "mcp_tool_result": _RESULT,
    "container_upload": names("type file_id cache_control"),
    "compaction": names("type content cache_control"),
}
# A tool without a type is the user's own; the API's own tools have a dated type and settings.
_CUSTOM_TOOL = names(
    "type name description input_schema cache_control strict defer_loading allowed_callers"
    " input_examples eager_input_streaming"
)


def _claims(kinds: Mapping[str, NodeKind]) -> bool:
    return kinds.get("messages") == "array" and not _FOREIGN & kinds.keys()


def _tool(path: str, item: Node) -> Iterator[Part]:
    unknown: tuple[str, ...] = ()
    if item.kind != "object":
        unknown = (path,)
    elif item.string_of("type") in {None, "custom"}:
        unknown = tuple(beyond(path, item, _CUSTOM_TOOL))
    yield Part(path, item, "tools", unknown=unknown)


def _system(path: str, item: Node) -> Iterator[Part]:
    unknown = () if item.kind == "string" else unknown_in(path, item, _BLOCKS)
    yield Part(path, item, "system", unknown=unknown)


def _message(path: str, item: Node) -> Iterator[Part]:
    role = item.string_of("role")
    content = item.get("content")
    if content is None or content.kind not in {"string", "array"}:
        yield Part(path, item, "messages", role, opens_message=True, unknown=(path,))
        return
    owner = _own(item)
    unknown = tuple(beyond(path, item, _MESSAGE))
    if not content.items:
        yield Part(f"{path}/content", content, "messages", role, True, owner, unknown)
    for number, block in enumerate(content.items):
        here = f"{path}/content/{number}"
        unknown += _unknown_block(here, block)
        yield Part(here, block, "messages", role, number == 0, owner, unknown)
        unknown = ()


def _own(item: Node) -> bytes:
    members = sorted(
        quote(member.name).encode() + b":" + canonical(member.value.raw)
        for member in item.members
        if member.name not in {"role", "content"}
    )
    return b",".join(members)


def _unknown_block(path: str, block: Node) -> tuple[str, ...]:
    unknown = unknown_in(path, block, _BLOCKS)
    content = block.get("content")
    if content is not None and block.string_of("type") == "tool_result":
        for number, item in enumerate(content.items):
            unknown += unknown_in(f"{path}/content/{number}", item, _BLOCKS)
    return unknown


DIALECT = Dialect(
    name="anthropic",
    claims=_claims,
    sections={"tools": _tool, "system": _system, "messages": _message},
    params=_PARAMS,
    mark="cache_control",
    bare_types={None: "text"},
    nested={"tool_result": "content"},
)
