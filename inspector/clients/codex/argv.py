"""The command line of `codex exec`: which prompt, which overrides, which session goes on."""

from collections.abc import Sequence
from dataclasses import dataclass, field

_WITH_VALUE = {
    "-c": "config", "--config": "config", "-m": "model", "--model": "model", "-p": "profile",
    "--profile": "profile", "-s": "sandbox", "--sandbox": "sandbox", "-C": "cwd", "--cd": "cwd",
    "-i": "image", "--image": "image", "--enable": "enable", "--disable": "disable",
    "--output-schema": "output_schema", "--add-dir": "add_dir", "-o": "last_message",
    "--output-last-message": "last_message", "--color": "color", "--local-provider": "oss_provider",
    "-a": "approval", "--ask-for-approval": "approval",
}  # fmt: skip
_SEVERAL = frozenset({"-i", "--image"})
_BYPASS = {"sandbox": "danger-full-access", "approval": "never"}
_FLAGS = {
    "--dangerously-bypass-approvals-and-sandbox": _BYPASS,
    "--yolo": _BYPASS,
    "--approve-for-me": {"reviewer": "auto_review"},
}
_COMMANDS = {"exec": "exec", "e": "exec", "resume": "resume", "review": "review", "fork": "fork"}


@dataclass(slots=True)
class Command:
    """What a command line says."""

    entry: str = "tui"
    """`exec`, `resume`, `review`, `fork` or `tui`."""
    terminal: bool = True
    """Whether a person types at it: no `exec` before what is to be done."""
    options: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    flags: set[str] = field(default_factory=set[str])
    words: list[str] = field(default_factory=list[str])
    """Arguments that are neither commands nor options."""

    def last(self, name: str) -> str | None:
        """The last value given for an option."""
        values = self.options.get(name)
        return values[-1] if values else None

    def all(self, name: str) -> list[str]:
        """Every value given for an option."""
        return self.options.get(name, [])

    @property
    def resumes(self) -> bool:
        """Whether an earlier thread goes on."""
        return self.entry == "resume"

    @property
    def thread(self) -> str | None:
        """The thread `resume` names; None with `--last`."""
        return self.words[0] if self.resumes and self.words and "--last" not in self.flags else None

    @property
    def prompt(self) -> str | None:
        """The prompt on the command line; None or `-` reads standard input."""
        words = self.words[1:] if self.thread is not None else self.words
        return words[0] if words else None


def parse(argv: Sequence[str]) -> Command:
    """Read a command line, without the program itself."""
    command = Command()
    rest = list(argv)
    while rest:
        word = rest.pop(0)
        if word == "--":
            command.words.extend(rest)
            break
        if word.startswith("-") and word != "-":
            _option(command, word, rest)
        elif not command.words and word in _COMMANDS:
            command.entry = _COMMANDS[word]
            command.terminal &= command.entry != "exec"
        else:
            command.words.append(word)
    return command


def _option(command: Command, word: str, rest: list[str]) -> None:
    name, equals, value = word.partition("=")
    if word in _FLAGS:
        for key, implied in _FLAGS[word].items():
            command.options.setdefault(key, []).append(implied)
        command.flags.add(word)
    elif equals and name in _WITH_VALUE:
        command.options.setdefault(_WITH_VALUE[name], []).append(value)
    elif word in _SEVERAL:
        # Takes every word up to the next option, so that a prompt needs `--` before it.
        while rest and not rest[0].startswith("-"):
            command.options.setdefault(_WITH_VALUE[word], []).extend(rest.pop(0).split(","))
    elif word in _WITH_VALUE and rest:
        command.options.setdefault(_WITH_VALUE[word], []).append(rest.pop(0))
    elif word[:2] in _WITH_VALUE and len(word) > 2 and not word.startswith("--"):
        command.options.setdefault(_WITH_VALUE[word[:2]], []).append(word[2:])
    else:
        command.flags.add(word)
