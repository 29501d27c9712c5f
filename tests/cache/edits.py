"""Breaks of the prompt cache, one each, made in recorded requests."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

type Doc = dict[str, Any]
type Edit = Callable[[list[Doc], int], None]
"""Changes the requests of a session from one on."""


def later(change: Callable[[Doc], None]) -> Edit:
    """The same change in each request from one on."""

    def edit(docs: list[Doc], at: int) -> None:
        for doc in docs[at:]:
            change(doc)

    return edit


# --- finding the way in a body of either dialect ------------------------------------------------


def messages(doc: Doc) -> list[Doc]:
    """Messages, or items."""
    found: list[Doc] = doc["messages"] if "messages" in doc else doc["input"]
    return found


def tools(doc: Doc) -> list[Doc]:
    """The tools, where a client keeps them."""
    if doc.get("tools"):
        return list_of(doc, "tools")
    return next(list_of(item, "tools") for item in doc["input"] if item.get("tools"))


def list_of(doc: Doc, name: str) -> list[Doc]:
    """A member that is a list of objects."""
    found: list[Doc] = doc[name]
    return found


def texts(doc: Doc) -> Iterator[tuple[Doc, str]]:
    """All texts that are not the system prompt, each with the object and member that holds it."""
    for message in messages(doc):
        if isinstance(message.get("content"), str):
            yield message, "content"
        for block in (
            message.get("content") or () if not isinstance(message.get("content"), str) else ()
        ):
            if isinstance(block.get("text"), str):
                yield block, "text"


def text_with(doc: Doc, head: str) -> tuple[Doc, str]:
    """The first text in which a head stands."""
    return next((holder, name) for holder, name in texts(doc) if head in holder[name])


def system(doc: Doc) -> tuple[Doc, str]:
    """The text of the system prompt that says most."""
    if doc.get("system"):
        return doc["system"][-1], "text"
    developer = (
        item for item in doc["input"] if item.get("role") == "developer" and item.get("content")
    )
    return next(developer)["content"][0], "text"


def behind(head: str, words: str) -> Callable[[Doc], None]:
    """Words put in a little behind a head."""

    def change(doc: Doc) -> None:
        holder, name = text_with(doc, head)
        at = holder[name].index(head) + len(head)
        holder[name] = f"{holder[name][:at]}{words}{holder[name][at:]}"

    return change


def marks(doc: Doc) -> Iterator[Doc]:
    """The blocks that carry a cache mark."""
    blocks = [*doc.get("system", ()), *doc.get("tools", ())]
    for message in messages(doc):
        blocks += message["content"] if isinstance(message.get("content"), list) else []
    return (block for block in blocks if "cache_control" in block)


# --- tools ----------------------------------------------------------------------------------------


def tool_gone(doc: Doc) -> None:
    del tools(doc)[1]


def tool_come(doc: Doc) -> None:
    first = json.loads(json.dumps(tools(doc)[0]))
    tools(doc).insert(1, {**first, "name": "later_tool"})


def tool_said(doc: Doc) -> None:
    said = next(tool for tool in tools(doc) if isinstance(tool.get("description"), str))
    said["description"] += " And more."


def tools_turned(doc: Doc) -> None:
    found = tools(doc)
    found[0], found[1] = found[1], found[0]


def tools_flap(docs: list[Doc], at: int) -> None:
    tool_gone(docs[at])


def schema_turned(docs: list[Doc], at: int) -> None:
    pairs: list[tuple[str, Any]] = [("type", "object"), ("properties", {})]
    for number, doc in enumerate(docs):
        name = "input_schema" if "messages" in doc else "parameters"
        tools(doc)[0][name] = dict(pairs if number < at else pairs[::-1])


def input_turned(docs: list[Doc], at: int) -> None:
    for number, doc in enumerate(docs):
        for message in messages(doc):
            for block in message["content"] if isinstance(message.get("content"), list) else ():
                if block.get("type") == "tool_use":
                    pairs = [("first", 1), ("second", 2)]
                    block["input"] = dict(pairs if number < at else pairs[::-1])


# --- the system prompt --------------------------------------------------------------------------


def in_system(before: str, after: str) -> Edit:
    """Words at the end of the system prompt, other ones from a request on."""

    def edit(docs: list[Doc], at: int) -> None:
        for number, doc in enumerate(docs):
            holder, name = system(doc)
            holder[name] += f" {before if number < at else after}"

    return edit


# --- what the client tells ----------------------------------------------------------------------


def day(doc: Doc) -> None:
    for holder, name in texts(doc):
        found = re.search(r"(Today's date is |<current_date>)\d{4}-\d\d-\d\d", holder[name])
        if found:
            holder[name] = holder[name].replace(found[0], f"{found[1]}2031-01-01")
            return
    raise AssertionError("no date")


def edited_file(doc: Doc) -> None:
    holder, name = text_with(doc, "# gitStatus")
    holder[name] = holder[name].replace("Status:\n", "Status:\n M edited.py\n", 1)


def reminder_moved(doc: Doc) -> None:
    first = next(item for item in messages(doc) if item.get("role") == "user")
    block = first["content"].pop(0)
    rest = [item for item in messages(doc) if item is not first and item.get("role") == "user"]
    rest[0]["content"].insert(0, block)


def reinjected(doc: Doc) -> None:
    users = [
        item
        for item in messages(doc)
        if item.get("role") == "user" and isinstance(item.get("content"), list)
    ]
    again = json.loads(json.dumps(users[0]["content"][0]))
    again.pop("cache_control", None)
    users[1]["content"].insert(0, again)


# --- the history --------------------------------------------------------------------------------


def answer_edited(doc: Doc) -> None:
    prompts = [item for item in messages(doc) if item.get("role") == "user"]
    content = prompts[0]["content"]
    content[-1]["text"] = f"{content[-1]['text']}, please"


def blank_added(doc: Doc) -> None:
    content = next(item for item in messages(doc) if item.get("role") == "user")["content"]
    content[-1]["text"] += "\n"


def message_gone(doc: Doc) -> None:
    answers = [at for at, item in enumerate(messages(doc)) if item.get("role") == "assistant"]
    del messages(doc)[answers[0]]


def summed_up(doc: Doc) -> None:
    last = messages(doc)[-1]
    summary = {"role": "user", "content": [{"type": "text", "text": "What happened so far."}]}
    doc["messages"] = [summary, last]


# --- marks and settings -------------------------------------------------------------------------


def unmarked(doc: Doc) -> None:
    for block in marks(doc):
        del block["cache_control"]


def shorter(docs: list[Doc], at: int) -> None:
    for number, doc in enumerate(docs):
        for block in marks(doc):
            ttl = {"ttl": "1h"} if number < at else {}
            block["cache_control"] = {"type": "ephemeral", **ttl}


def many_results(docs: list[Doc], at: int) -> None:
    place = len(messages(docs[at])) - 1
    for doc in docs[at:]:
        message = messages(doc)[place]
        if isinstance(message["content"], str):
            message["content"] = [{"type": "text", "text": message["content"]}]
        many = [{"type": "text", "text": f"result {number}"} for number in range(40)]
        message["content"][:0] = many


def tail(docs: list[Doc], at: int) -> None:
    del at
    for number, doc in enumerate(docs):
        for message in messages(doc):
            for block in message["content"] if isinstance(message.get("content"), list) else ():
                block.pop("cache_control", None)
        state = {"type": "text", "text": f"state {number} of the editor; " * 2000}
        messages(doc).append({"role": "user", "content": [state]})


def param(name: str, value: Any) -> Callable[[Doc], None]:
    """Another value of a setting."""

    def change(doc: Doc) -> None:
        doc[name] = value

    return change


def effort(doc: Doc) -> None:
    if "reasoning" in doc:
        doc["reasoning"] = {**doc["reasoning"], "effort": "minimal"}
    else:
        doc["output_config"] = {**doc.get("output_config", {}), "effort": "low"}


def nothing(docs: list[Doc], at: int) -> None:
    """The requests stay: what the API reports changes, or the process."""
    del docs, at
