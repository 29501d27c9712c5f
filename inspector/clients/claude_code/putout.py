"""What the client's own commands put out, where it follows from profile and workspace."""

from inspector.clients.claude_code import agents, listing, style
from inspector.clients.claude_code.phrase import computed, phrase, template
from inspector.clients.claude_code.state import State
from inspector.text import EMPTY, Kind, Known, Origin, Text, join, text
from inspector.turns import Commanded
from inspector.workspace import World

_COMMA = text(", ", Origin(Kind.STRUCTURE, "list"))


def parts(given: Commanded) -> tuple[Text, Text]:
    """A command's name, and what was typed behind it."""
    whole = text(given.prompt, Origin(Kind.PROMPT, "prompt"))
    length = len(given.prompt.split(" ", 1)[0])
    return whole[1:length], whole[length + 1 :]


def sentence(state: State, name: str, given: Commanded, world: World) -> Text:
    """A sentence of the client's, by its name in the profile; of none, nothing."""
    if not name:
        return EMPTY
    profile, process = state.profile, state.process
    command, args = parts(given)
    holes = {
        "name": command,
        "args": args,
        "model": phrase(profile, "model.name"),
        "seconds": text(given.seconds, Origin(Kind.OUTCOME, "run time")),
    }
    literal = profile.literals.get(name, "")
    if "{skills}" in literal:
        count = listing.count(profile, process.settings, state.skills)
        holes["skills"] = computed(str(count), "skills")
    if "{agents}" in literal:
        count = agents.count(profile, world.environment, process.agents)
        holes["agents"] = computed(str(count), "agents")
    if "{chosen}" in literal:
        holes["chosen"] = style.named(profile, world, str(args)) or EMPTY
    if "{names}" in literal:
        holes["names"] = join(_COMMA, style.names(profile, world))
    if "{styles}" in literal:
        holes["style"] = computed(style.current(process.settings), "style")
        holes["styles"] = style.listed(profile, world, process.settings)
    made = template if name in profile.templates else phrase
    return made(profile, name, **holes)


def spells(made: Text, words: str) -> bool:
    """Whether a text that is known in part by digest only is these words."""
    if str(made) == words:
        return True
    done = 0
    for piece in made.pieces:
        if isinstance(piece.origin, Known):
            end = done + piece.origin.chars
            fits = piece.origin.names(words[done:end])
        else:
            end = done + len(piece.text)
            fits = words[done:end] == piece.text
        if not fits:
            return False
        done = end
    return done == len(words)
