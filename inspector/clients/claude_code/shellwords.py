"""Arguments of a skill as the client parts them: the words of the first shell command in them.

Witness: `skill_arguments`. The client reads a whole shell language; what is not modelled of it
(loops, functions, redirections between words) is a named gap.
"""

import re

from inspector.text import Text, join

_END = frozenset(";|&\n")
_BEFORE = _END | frozenset("(")
_AFTER = _END | frozenset("()<>")
_DECLARES = frozenset({"export", "declare", "typeset", "readonly", "local", "unset", "unsetenv"})
_EXPANSION = re.compile(r"\$(?:[A-Za-z0-9_{(@*#?$!-])|`")
_VARIABLE = re.compile(r"\$(?:\w+|.)")
_PLAIN = re.compile(r"[^ \t()<>;|&\n'\"\\$`]+")
_PASSED = re.compile(r"[A-Za-z_]\w*\+?=.*|\[.*\]|!|if|while|until", re.DOTALL)
"""Words before the name of a command."""


def words(given: Text) -> list[Text]:
    """The words; those of the whole text where it is no command."""
    string = str(given)
    found = _Reader(given, string).read()
    return found or [given[match.start() : match.end()] for match in re.finditer(r"\S+", string)]


class _Reader:
    def __init__(self, given: Text, string: str) -> None:
        self.given, self.string = given, string
        self.at = 0
        self.out: list[Text] = []

    def read(self) -> list[Text]:
        while self.at < len(self.string):
            char = self.string[self.at]
            if char in " \t" or (not self.out and char in _BEFORE):
                self.at += 1
            elif char in _AFTER or (char == "#" and self.out) or not self._word():
                break
        return self.out

    def _word(self) -> bool:
        start = self.at
        if start == 0 and self.string.startswith("#"):
            return False
        parts, runs, alone = self._parts()
        whole = self.given[start : self.at]
        if not self.out and _PASSED.fullmatch(str(whole)):
            return True
        if str(whole).isdigit() and self.string[self.at : self.at + 1] in {"<", ">"}:
            return False
        if runs and self.out:
            return False
        if not (alone and self.out):
            # What a variable holds is nobody's to know: a word that is one is left out.
            self.out.append(whole if runs else join(Text(), parts))
        return len(self.out) != 1 or str(whole) not in _DECLARES

    def _parts(self) -> tuple[list[Text], bool, bool]:
        """One word without its quotes, whether a command runs in it, whether it is one variable."""
        parts: list[Text] = []
        runs, variables = False, 0
        while self.at < len(self.string):
            char, start = self.string[self.at], self.at
            if char in " \t()<>" or char in _END:
                break
            if self.string.startswith(("$'", '$"'), self.at):
                self.at += 1
                self._quoted(self.string[self.at])
                variables += 1
                parts.append(self.given[start : self.at])
            elif char in "'\"":
                parts.append(self._quoted(char))
            elif _EXPANSION.match(self.string, self.at):
                runs = self._expansion() or runs
                variables += 1
                parts.append(self.given[start : self.at])
            elif char == "\\":
                parts.append(self.given[self.at + 1 : self.at + 2])
                self.at += 2
            else:
                match = _PLAIN.match(self.string, self.at)
                self.at = match.end() if match else self.at + 1
                parts.append(self.given[start : self.at])
        return parts, runs, variables == len(parts) == 1

    def _quoted(self, quote: str) -> Text:
        end = self.at + 1
        while end < len(self.string) and self.string[end] != quote:
            end += 2 if quote == '"' and self.string[end] == "\\" else 1
        start, self.at = self.at, min(end + 1, len(self.string))
        if end >= len(self.string):
            return self.given[start:]
        return self.given[start + 1 : end]

    def _expansion(self) -> bool:
        """Go past an expansion; whether it runs a command."""
        opening = self.string[self.at : self.at + 2]
        closing = {"${": "}", "$(": ")"}.get(opening) or ("`" if opening[0] == "`" else "")
        if not closing:
            match = _VARIABLE.match(self.string, self.at)
            self.at = match.end() if match else self.at + 1
            return False
        end = self.string.find(closing, self.at + (2 if closing != "`" else 1))
        self.at = end + 1 if end >= 0 else len(self.string)
        return closing != "}"
