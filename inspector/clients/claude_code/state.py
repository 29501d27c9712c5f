"""What the builder folds over: one conversation as far as it has come."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from inspector.clients.claude_code import dynamic
from inspector.clients.claude_code.agents import Agent
from inspector.clients.claude_code.message import Message
from inspector.clients.claude_code.readlong import Count
from inspector.clients.claude_code.rules import Memory
from inspector.clients.claude_code.settings import Settings
from inspector.clients.claude_code.skills import Skill
from inspector.clients.claude_code.style import Style
from inspector.clients.claude_code.tasklist import Tasks
from inspector.clients.claude_code.tools import Pool
from inspector.clients.claude_code.usage import Used
from inspector.profiles import Profile
from inspector.text import Text, Value
from inspector.turns import Called, Hooked
from inspector.workspace import World


@dataclass(frozen=True, slots=True)
class Process:
    """What one client process read at its start."""

    profile: Profile
    offered: Profile
    """The wire format the process began with: its tools keep their words."""
    settings: Settings
    pool: Pool
    skills: tuple[Skill, ...]
    """Those of the start; conditional ones wait for a file."""
    later: tuple[Skill, ...]
    """Skills of added folders whose name is taken."""
    ignored: tuple[str, ...]
    """Patterns of files that git ignores."""
    usage: Mapping[str, Used]
    agents: tuple[Agent, ...]
    style: Style | None
    memory: Text | None
    """The memory block; None where there is no memory file."""
    copies: Mapping[str, Memory]
    """Instruction files by path, as read at start."""
    identity: Text
    parts: tuple[Text, ...]
    """The system prompt."""
    device: Text
    account: Text
    """Id of the account somebody is logged in with; empty for a key."""
    address: Text
    """The account's address."""
    session: Text
    effort: str
    """The effort of a request for which nothing else is said."""
    fixed: bool
    """Whether the environment says so: then nothing else counts."""
    given: str
    """The model as somebody wrote it."""
    mode: str
    """The permission mode in which the conversation began: tools keep its words."""
    ahead: tuple[Message, ...] = ()
    """Messages that stand before the conversation in every request."""


@dataclass(frozen=True, slots=True)
class State:
    """A conversation before its next request."""

    process: Process
    messages: tuple[Message, ...] = ()
    seen: frozenset[str] = frozenset()
    """Memory files in the conversation."""
    copies: Mapping[str, Memory] = field(default_factory=dict[str, Memory])
    """Instruction files as they were last told to the model."""
    told: frozenset[str] = frozenset()
    """Skills the model knows of."""
    found: tuple[Skill, ...] = ()
    """Skills that came into reach in this process, under their own names."""
    opened: frozenset[str] = frozenset()
    """Folders already looked into for skills."""
    folders: tuple[str, ...] = ()
    """Additional directories the model knows of."""
    waiting: frozenset[str] = frozenset()
    """Deferred tools the model knows of."""
    agents: frozenset[str] = frozenset()
    """Agents of the user's that the model knows of."""
    servers: frozenset[str] = frozenset()
    """MCP servers whose instructions were told."""
    model: str = ""
    """Id of the model that was told which model it is."""
    sender: str = ""
    """Id of the model that the last request is for."""
    usual: Process | None = None
    """The process with its own model, while a typed skill's takes its place."""
    named: frozenset[str] = frozenset()
    """Deferred tools that the model was ever told of."""
    credit: str = ""
    """The attribution that was told last."""
    date: str = ""
    """The date the model was told last."""
    mode: str = ""
    """The text of the permission mode the model knows of; none for most."""
    modes: frozenset[str] = frozenset()
    """Those it was ever told."""
    rendered: Mapping[str, str] = field(default_factory=dict[str, str])
    known: Mapping[str, str] = field(default_factory=dict[str, str])
    """Files the model was shown whole or wrote in this process: their digests."""
    loaded: frozenset[str] = frozenset()
    calls: tuple[Called, ...] = ()
    """Calls of the last reply, not answered yet."""
    reply: str | None = None
    """Id of the last reply."""
    used: int = 0
    """Tokens the last reply's usage counted."""
    spent: float = 0.0
    """What the replies cost, in dollars."""
    paid: float = 0.0
    """What they cost before this process."""
    peak: int = 0
    """The most tokens that were used at once since the last prompt."""
    effort: str | None = None
    """The effort announced last."""
    override: str | None = None
    """The effort a skill asked for, until the next prompt; empty for a number."""
    silent: int = 0
    """Replies with calls and no words in a row."""
    batching: bool = False
    """The next request, and no later one, asks for several calls at once."""
    counted: int = 0
    """Tokens that were used before the last prompt."""
    untracked: int = 0
    """Replies since a task tool was called or the model was told of them."""
    latched: frozenset[str] = frozenset()
    """What changes the betas for the rest of the process: a request `rejected`, or `refused`."""
    judged: tuple[Value, ...] = ()
    """What the API was told with each reply whose calls it judged (`safeguards_end`)."""
    whole: bool = False
    """Whether the request asks for its answer whole, since a stream held no reply."""
    owed: bool = False
    """Whether the first paragraphs were put off to the next request."""
    hooked: tuple[Hooked, ...] = ()
    """What hooks printed before the request that is being made."""
    said: str = ""
    """The last prompt; empty where it was a command that ran."""
    cwd: str = ""
    """Where the shell stands, once it has left the working directory."""
    written: Mapping[str, str] = field(default_factory=dict[str, str])
    """Files the client wrote itself and has not read since: what stood in them."""
    reads: Mapping[str, str] = field(default_factory=dict[str, str])
    """What this process has shown of files: which lines of which bytes."""
    detached: Mapping[str, str] = field(default_factory=dict[str, str])
    """Commands in the background by call: what the client calls them."""
    asked: str = ""
    """The conversation's first prompt."""
    prompts: int = 0
    """Prompts in the conversation."""
    wakes: int = 0
    """How often a command that ended in the background began a turn of its own."""
    roused: bool = False
    """Whether this is such a turn."""
    typed: int = 0
    """Prompts in this process."""
    now: str = ""
    """When the request is made (ISO 8601)."""
    asks: bool = False
    """Whether the tools are counted before this request."""
    counts: tuple[Count, ...] = ()
    """Texts of the last round that were counted before this request."""
    tokens: Mapping[str, int] = field(default_factory=dict[str, int])
    """Of those: the tokens, by call."""
    tasks: Tasks | None = field(default_factory=Tasks)
    """The task list; None where nobody knows what stands in it."""
    weighed: Mapping[str, int] = field(default_factory=dict[str, int])
    """Texts of files whose tokens this process knows, by digest."""
    allowed: tuple[str, ...] = ()
    """Rules that a typed skill allows, until the next prompt."""
    styled: str = ""
    """The output style the model knows of."""
    cleared: int = 0
    """How often the conversation was begun anew in this process."""
    identified: int = 0
    """The turn whose prompt has an id: those of commands have none (`every_row_tls`)."""

    @property
    def turns(self) -> int:
        """Turns of the conversation, as the client counts them (`stream_commands_tls`)."""
        return self.prompts + self.wakes

    def here(self, world: World) -> World:
        """The world as it looks from where the shell stands."""
        if not self.cwd:
            return world
        return replace(world, environment=world.environment.model_copy(update={"cwd": self.cwd}))

    @property
    def profile(self) -> Profile:
        """The wire format."""
        return self.process.profile

    @property
    def moded(self) -> str:
        """The text of the permission mode; one that speaks of the shell needs it and an editor."""
        switches, own = self.profile.switches, frozenset(self.process.pool.builtin)
        able = "Bash" in own and own & {"Edit", "Write"}
        needs = switches.get("mode.needs_shell") == "yes"
        return "" if needs and not able else switches.get("mode.text", "")

    @property
    def skills(self) -> tuple[Skill, ...]:
        """Every skill at hand, by the name it goes by."""
        return (*self.ready, *self.late)

    @property
    def ready(self) -> tuple[Skill, ...]:
        """The skills of the start that wait for nothing."""
        return tuple(skill for skill in self.process.skills if skill.globs is None)

    @property
    def late(self) -> tuple[Skill, ...]:
        """Skills that came into reach later, and those of added folders whose name was taken."""
        found = (*self.found, *self.process.later)
        if not found:
            return ()
        lists = self.profile.lists
        own = [skill.name for skill in self.ready]
        return dynamic.named(self.profile, (*own, *lists["commands.bundled"]), found)

    @property
    def wanted(self) -> str:
        """The effort of the next request."""
        free = self.override is not None and not self.process.fixed
        return str(self.override) if free else self.process.effort
