"""What a call touches of the workspace, and what that brings in."""

from contextlib import suppress

from inspector.clients.claude_code import (
    echo,
    nested,
    rules,
)
from inspector.clients.claude_code.resultblock import Result
from inspector.clients.claude_code.rules import Memory
from inspector.clients.claude_code.state import State
from inspector.errors import NotKept
from inspector.text import Text
from inspector.turns import (
    Called,
)
from inspector.workspace import World


class Touched:
    """Files touched in a round, and the memory they bring in when it is asked for."""

    def __init__(self, state: State, world: World) -> None:
        """Nothing touched yet."""
        self._state, self._world = state, world
        self._order = {call.id: number for number, call in enumerate(state.calls)}
        self._paths: list[tuple[int, str]] = []
        self.seen = set(state.seen)
        self.every: list[str] = []
        """Files a tool of the client's own touched in the round."""
        self.done: list[tuple[Called, str]] = []
        """Calls that worked, with their files."""

    def note(self, call: Called, result: Result) -> None:
        """Take down what a call touched."""
        paths = list(result.touched)
        if call.name == "Bash":
            command = echo.argument(call, "command") or ""
            paths = nested.read_by_shell(command, self._state.here(self._world).environment.cwd)
        failed = result.block.get("is_error") is True
        # A call that failed brought no memory once [2.1.88, probe harbour].
        if not failed or self._state.profile.switches["nested.failed"] == "yes":
            self._paths += [(self._order[call.id], path) for path in paths]
        if call.name != "Bash":
            self.every += result.touched
        if not failed:
            self.done += [(call, path) for path in result.touched]

    def memories(self) -> list[Text]:
        """The reminders that what was touched since the last time brings in."""
        # Memory comes in the order of the calls, whichever ended first (rules_cond_trigger).
        paths, self._paths = sorted(self._paths), []
        if not paths or rules.reads_nothing(self._world.environment):
            return []
        if self._state.profile.switches["attachments"] == "no":
            return []
        settings, profile = self._state.process.settings, self._state.profile
        scope = rules.scope(self._world.tree, self._world.environment, settings, profile)
        # What the model has read itself is not shown to it again (rules_large).
        self.seen |= {path for _, path in paths if not scope.denied.holds(path)}
        found: list[Memory] = []
        for _, path in paths:
            # A folder that nobody named was not looked into while the client ran.
            with suppress(NotKept):
                found += nested.touched(scope, settings, path, self.seen)
        return [nested.reminder(profile, memory) for memory in found]
