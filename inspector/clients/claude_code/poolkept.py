"""The tools of a conversation that goes on in another process: what was sent stays as it was.

A tool keeps its words and, once it was sent whole, is not deferred any more, whatever the model
of now would be offered (`generation_hooks`, `generation_sibling`).
"""

from collections.abc import Mapping
from dataclasses import replace

from inspector.clients.claude_code.state import Process, State
from inspector.clients.claude_code.tools import Pool
from inspector.profiles import Profile


def kept(earlier: State, now: Process) -> Pool:
    """The pool of the process of now."""
    before = earlier.process
    pool = _undeferred(before.pool, now.pool)
    return replace(pool, words=_words(earlier, pool, now.profile))


def _undeferred(before: Pool, now: Pool) -> Pool:
    if before.searching or not now.searching:
        return now
    deferrable = now.deferrable - {*before.builtin}
    left = replace(now, deferrable=deferrable)
    if left.deferred:
        return left
    builtin = tuple(name for name in now.builtin if name != "ToolSearch")
    return replace(left, builtin=builtin, searching=False, announced=False, placeholder=False)


def _words(earlier: State, now: Pool, profile: Profile) -> Mapping[str, Profile]:
    """Whose words the tools have that were not sent by then."""
    before = earlier.process
    sent = {*_defined(before.pool), *earlier.loaded}
    same = profile == before.offered
    fresh = {name: profile for name in now.builtin if name not in sent and not same}
    return fresh | {name: words for name, words in before.pool.words.items() if name in sent}


def _defined(pool: Pool) -> set[str]:
    waiting = {*pool.deferred} if pool.searching else set[str]()
    return {*pool.builtin} - waiting
