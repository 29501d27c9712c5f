"""What each rule means, in one sentence; docs/cache.md is checked against it."""

from collections.abc import Mapping

ABOUT: Mapping[str, str] = {
    "BREAKPOINT-MISSING": "A request that goes on has no cache mark, so nothing of it is cached.",
    "CACHE-KEY": "The key that an OpenAI client gives its cache changed; the API may count a miss.",
    "COMPACTION": "The conversation was summed up; wanted, so it is told as information.",
    "DATE": "A date changed, and nothing else in the block.",
    "GITSTATUS": "The state of git changed, and nothing else in the block.",
    "HISTORY-EDITED": "An earlier message says something else, or is gone.",
    "LOOKBACK": "More new blocks than a mark looks back: the entry is there and not found.",
    "MCP-INSTRUCTIONS": "What servers say of themselves changed.",
    "MODEL-CHANGED": "Another model; each has a cache of its own.",
    "PARAMS-CHANGED": "A setting that the prefix belongs to changed: tool choice, thinking …",
    "PLATEAU": "What is read stands still while the prompt grows.",
    "REINJECTED": "A text that stood in the request already was put in a second time.",
    "REMINDER-MOVED": "What stood there stands further on.",
    "RESUME": "A resumed session has another history than the one it goes on from.",
    "RULE-CHANGED": "A memory file (CLAUDE.md, AGENTS.md, a rule) says something else.",
    "SCHEMA-KEY-ORDER": "The same tool or block with its keys in another order.",
    "SKILL-LISTING": "The list of skills is another.",
    "STALE-SCHEMA": "A tool on the wire is not as its server lists it.",
    "SYSTEM-CHANGED": "The system prompt says something else.",
    "TAIL-UNCACHED": "Much of each request stands behind its last mark and is never cached.",
    "TOOLS-CHANGED": "Tools came or went, or one says something else.",
    "TOOLS-FLAP": "Tools went and came back within a few turns.",
    "TOOLS-REORDERED": "The same tools in another order.",
    "TTL-CHANGED": "The marks ask for a shorter life than before.",
    "USAGE-DISAGREES": "What the API reported and what its rules say are not the same.",
    "VOLATILE-TEXT": "A time, an id or a temporary path changed, and nothing else in the block.",
    "WRITE-ONLY": "Entries are written again and again, and none is ever read.",
}
