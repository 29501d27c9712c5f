"""The mock's OpenAI Responses dialect: output items as server-sent events and as JSON."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from inspector.mock.answer import (
    Answer,
    Ids,
    cut_answer,
    fault_answer,
    json_answer,
    stream_answer,
)
from inspector.mock.script import Reply, compact
from inspector.turns import Called, OtherBlock, Replied, ReplyBlock, Said, Thought
from inspector.wire import openai_reply

_USAGE: dict[str, Any] = {
    "input_tokens": 10,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 5,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 15,
}


@dataclass(frozen=True, slots=True)
class _Item:
    value: dict[str, Any]
    read: ReplyBlock


def is_title(body: Mapping[str, Any]) -> bool:
    """Whether a request only wants a name for a conversation [codex 0.171.0, terminal]."""
    return '"thread_source":"thread_title"' in _turn_metadata(body)


def is_beside(headers: Mapping[str, str]) -> bool:
    """Whether a connection is of another thread than the conversation: for a title, a review."""
    about = headers.get("x-codex-turn-metadata", "")
    return '"thread_source":' in about and '"thread_source":"user"' not in about


def is_compaction(body: Mapping[str, Any]) -> bool:
    """Whether a request wants a conversation summed up [codex 0.171.0, compact]."""
    return '"request_kind":"compaction"' in _turn_metadata(body)


def _turn_metadata(body: Mapping[str, Any]) -> str:
    metadata: object = body.get("client_metadata")
    if not isinstance(metadata, dict):
        return ""
    return str(cast("dict[str, object]", metadata).get("x-codex-turn-metadata"))


def answer(reply: Reply, body: Mapping[str, Any], ids: Ids) -> Answer:
    """The response to one Responses request."""
    if fault := reply.fault:
        error = {"type": fault.type, "message": fault.message}
        return fault_answer(fault, {"error": error})
    items = list(_Items(_offered(body), ids).of(reply))
    response_id = ids.next("resp")
    usage = {**_USAGE, **reply.usage}
    details: dict[str, Any] = usage["input_tokens_details"] or {}
    outcome = Replied(
        id=response_id,
        blocks=tuple(item.read for item in items),
        stop=reply.stop or "completed",
        input_tokens=usage["input_tokens"],
        cache_read_tokens=details.get("cached_tokens"),
        cache_write_tokens=details.get("cache_write_tokens"),
        output_tokens=usage["output_tokens"],
    )
    end: dict[str, Any] = {"id": response_id, "object": "response"}
    end |= {"status": "incomplete" if reply.stop else "completed", "usage": usage}
    if reply.stop:
        end["incomplete_details"] = {"reason": reply.stop}
    if not body.get("stream"):
        return json_answer({**end, "output": [item.value for item in items]}, outcome)
    whole = stream_answer(_events(response_id, items, end), outcome)
    return whole if reply.cut is None else cut_answer(whole, reply.cut, openai_reply.reply)


def compacted() -> Answer:
    """The response to a remote compaction."""
    output = [{"type": "compaction", "encrypted_content": "Y29tcGFjdGVk"}]
    return json_answer({"output": output}, Replied())


def _events(response_id: str, items: list[_Item], end: dict[str, Any]) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = [{"type": "response.created", "response": {"id": response_id}}]
    for index, item in enumerate(items):
        for step in ("added", "done"):
            kind = f"response.output_item.{step}"
            events.append({"type": kind, "output_index": index, "item": item.value})
    events.append({"type": f"response.{end['status']}", "response": end})
    return events


type Tool = Mapping[str, Any]

_TOOL_LISTS = ("additional_tools", "tool_search_output")


def _offered(body: Mapping[str, Any]) -> dict[str, tuple[str | None, Tool]]:
    """Every tool a request offers, by name: in `tools` and in tool lists inside `input`."""
    items: list[object] = list(body.get("input") or [])
    objects = [cast("Tool", item) for item in items if isinstance(item, Mapping)]
    holders = [body, *(item for item in objects if item.get("type") in _TOOL_LISTS)]
    found: dict[str, tuple[str | None, Tool]] = {}
    for holder in holders:
        tools: list[Tool] = holder.get("tools") or []
        for tool in tools:
            found |= {_name(each): (namespace, each) for namespace, each in _flat(tool, None)}
    return found


def _name(tool: Tool) -> str:
    return str(tool.get("name") or tool.get("type"))


def _flat(tool: Tool, namespace: str | None) -> Iterator[tuple[str | None, Tool]]:
    if tool.get("type") != "namespace":
        yield namespace, tool
        return
    for inner in tool.get("tools", []):
        yield from _flat(inner, tool.get("name"))


@dataclass(slots=True)
class _Items:
    """Makes output items fit for the tools the client offered."""

    offered: Mapping[str, tuple[str | None, Tool]]
    ids: Ids

    def of(self, reply: Reply) -> Iterator[_Item]:
        """All items of one reply, in the order a model gives them."""
        if reply.reasoning or reply.thinking is not None:
            yield self.reasoning(reply)
        if reply.text is not None:
            yield self.message(reply.text)
        yield from self.acts(reply)
        for item in reply.items:
            yield _Item(item, _read(item))

    def acts(self, reply: Reply) -> Iterator[_Item]:
        """The tool calls of one reply."""
        yield from (self.shell(line) for line in reply.lines)
        if reply.js is not None:
            yield self.custom("exec", reply.js)
        if reply.patch is not None:
            yield self.patch(reply.patch)
        if reply.mcp is not None:
            yield self.mcp(reply.mcp, reply.input)
        for tool in reply.tools:
            yield self.function(tool.name, tool.json_text, tool.namespace)
        if reply.custom is not None:
            yield self.custom(reply.custom.name, reply.custom.input)

    def reasoning(self, reply: Reply) -> _Item:
        item_id = self.ids.next("rs")
        summary = [{"type": "summary_text", "text": reply.thinking}] if reply.thinking else []
        value = {
            "type": "reasoning",
            "id": item_id,
            "summary": summary,
            "encrypted_content": reply.signature,
        }
        read = Thought(
            text=reply.thinking or "", signature=reply.signature, id=item_id, raw=compact(value)
        )
        return _Item(value, read)

    def message(self, text: str) -> _Item:
        item_id = self.ids.next("msg")
        content: list[object] = [{"type": "output_text", "text": text, "annotations": []}]
        value = {"type": "message", "role": "assistant", "id": item_id, "content": content}
        return _Item(value, Said(text=text, id=item_id, raw=compact(value)))

    def function(self, name: str, arguments: str, namespace: str | None = None) -> _Item:
        item_id, call = self.ids.next("fc"), self.ids.next("call")
        value = {
            "type": "function_call",
            "id": item_id,
            "call_id": call,
            "name": name,
            "arguments": arguments,
        }
        if namespace:
            value["namespace"] = namespace
        read = Called(
            id=call,
            name=name,
            input=arguments,
            item_id=item_id,
            namespace=namespace,
            raw=compact(value),
        )
        return _Item(value, read)

    def custom(self, name: str, source: str) -> _Item:
        item_id, call = self.ids.next("ctc"), self.ids.next("call")
        value = {
            "type": "custom_tool_call",
            "id": item_id,
            "call_id": call,
            "name": name,
            "input": source,
        }
        read = Called(
            id=call, name=name, input=source, item_id=item_id, custom=True, raw=compact(value)
        )
        return _Item(value, read)

    def local_shell(self, line: str) -> _Item:
        item_id, call = self.ids.next("lsh"), self.ids.next("call")
        action = {"type": "exec", "command": ["bash", "-lc", line]}
        value = {
            "type": "local_shell_call",
            "id": item_id,
            "call_id": call,
            "status": "completed",
            "action": action,
        }
        return _Item(value, OtherBlock(raw=compact(value)))

    @property
    def code_mode(self) -> bool:
        """Whether the client's one way to act is JavaScript in the `exec` tool."""
        return "exec" in self.offered and self.offered["exec"][1].get("type") == "custom"

    def run_code(self, call: str) -> _Item:
        """One tool call from the client's JavaScript, its result printed."""
        return self.custom("exec", f"const r = await {call}; text(r);")

    def shell(self, line: str) -> _Item:
        if self.code_mode:
            return self.run_code(f"tools.exec_command({_js({'cmd': line})})")
        if "exec_command" in self.offered:
            return self.function("exec_command", compact({"cmd": line}))
        if "shell_command" in self.offered:
            return self.function("shell_command", compact({"command": line}))
        if "local_shell" in self.offered:
            return self.local_shell(line)
        return self.function("shell", compact({"command": ["bash", "-lc", line]}))

    def patch(self, patch: str) -> _Item:
        if self.code_mode:
            return self.run_code(f"tools.apply_patch({_js(patch)})")
        tool = self.offered.get("apply_patch")
        if tool is not None and tool[1].get("type") == "custom":
            return self.custom("apply_patch", patch)
        if tool is not None:
            return self.function("apply_patch", compact({"input": patch}))
        return self.shell(f"apply_patch <<'EOF'\n{patch}\nEOF\n")

    def mcp(self, path: str, arguments: dict[str, Any]) -> _Item:
        server, _, tool = path.partition("/")
        for name, (namespace, _tool) in self.offered.items():
            if name == tool and (namespace or "").startswith(f"mcp__{server}"):
                return self.function(name, compact(arguments), namespace)
            if name == f"mcp__{server}__{tool}":
                return self.function(name, compact(arguments), namespace)
        if self.code_mode:
            return self.run_code(f"tools.mcp__{server}__{tool}({_js(arguments)})")
        return self.function(f"mcp__{server}__{tool}", compact(arguments))


def _read(item: dict[str, Any]) -> ReplyBlock:
    """An item of the script's own, as readers of responses understand it."""
    said = openai_reply.reply(compact({"output": [item]}).encode(), "application/json")
    assert isinstance(said, Replied)
    return said.blocks[0]


def _js(value: object) -> str:
    """A value as a JavaScript literal, which JSON with escapes is."""
    return json.dumps(value)
