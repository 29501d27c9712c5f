"""What differs between the caches of model APIs."""

from dataclasses import dataclass

from inspector.cache.facts import LOOK_BACK
from inspector.jsontext import Node
from inspector.segments import Prompt


@dataclass(frozen=True, slots=True)
class Upstream:
    """One API's cache."""

    name: str
    params: tuple[str, ...]
    """Params (`a/b`) that entries in the messages belong to."""
    look_back: int
    """Positions that a mark looks at."""
    implied: int | None
    """Seconds that an entry at the end lives without a mark; None: marks alone count."""
    plain: bool = False
    """Whether it compares the prompt from its beginning, whatever it is of and for any length."""
    hoists: bool = False
    """Whether system messages are joined to the system prompt."""

    def level(self, prompt: Prompt) -> tuple[str, ...]:
        """The values of those params, as written."""
        return tuple(_raw(prompt, name) for name in self.params)


ANTHROPIC = Upstream("anthropic", ("tool_choice", "thinking", "output_config"), LOOK_BACK, None)
OPENAI = Upstream(
    "openai",
    ("prompt_cache_key", "reasoning/effort", "text", "parallel_tool_calls", "service_tier"),
    1_000_000,
    1800,
)
"""GPT-5.6 and later: an entry at the end of the latest message, which later requests find."""

_ALWAYS = 1_000_000_000
GENERIC = Upstream("generic-prefix", (), 1_000_000, _ALWAYS, plain=True)
"""vLLM, SGLang, llama.cpp, relays: the longest equal beginning, until something else needs room."""
HOIST = Upstream("hoist-system", (), 1_000_000, _ALWAYS, plain=True, hoists=True)
"""Ollama, relays that convert: the same, with all system messages at the top."""

UPSTREAMS = {one.name: one for one in (ANTHROPIC, OPENAI, GENERIC, HOIST)}
"""By name."""
_BY_DIALECT = {"anthropic": ANTHROPIC, "openai": OPENAI}


def upstream_of(prompt: Prompt) -> Upstream | None:
    """The upstream that a request is made for, by its dialect."""
    return _BY_DIALECT.get(prompt.dialect.name) if prompt.dialect is not None else None


def _raw(prompt: Prompt, name: str) -> str:
    first, _, rest = name.partition("/")
    node: Node | None = prompt.param(first)
    if rest and node is not None:
        node = node.get(rest) if node.kind == "object" else None
    return "" if node is None else node.text
