"""Rebuilding a conversation's requests offline: fold the turns, encode each request."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from inspector.clients import Client, Request, State
from inspector.profiles import Profile
from inspector.session import ExchangeKind
from inspector.text import Built, encode
from inspector.turns import Turn
from inspector.workspace import World


@dataclass(slots=True)
class Conversation:
    """A conversation being rebuilt; a resumed process takes the state of the one before."""

    client: Client
    profile: Profile
    words: Mapping[str, str]
    state: State
    turns: list[Turn] = field(default_factory=list[Turn])
    """The turns so far, with only what the world said in them."""
    asked: tuple[Request, ...] = ()
    """Token counts asked for before the last request."""
    aside: tuple[tuple[ExchangeKind, Request], ...] = ()
    """Requests of other kinds made before the last one."""

    @classmethod
    def begin(
        cls,
        client: Client,
        world: World,
        profile: Profile,
        words: Mapping[str, str],
        earlier: State | None = None,
    ) -> "Conversation":
        """Read what the client reads at start."""
        return cls(client, profile, words, client.begin(world, profile, earlier))

    def step(self, turn: Turn, world: World) -> Built:
        """The request of the next turn."""
        self.state, request = self.client.step(self.state, turn, world)
        self.turns.append(request.turn or turn)
        self.asked, self.aside = request.counts, request.asides
        return self._encoded(request)

    def counts(self) -> list[Built]:
        """The token counts that the client asks for before the request made last."""
        return [self._encoded(request) for request in self.asked]

    def asides(self) -> list[tuple[ExchangeKind, Built]]:
        """The warm-ups and compactions that the client sends before the request made last."""
        return [(kind, self._encoded(request)) for kind, request in self.aside]

    def _encoded(self, request: Request) -> Built:
        built = encode(request.value, self.words, unordered=request.unordered)
        return replace(built, headers=request.headers)


def build(
    conversation: Conversation, turns: tuple[Turn, ...], world_at: Callable[[Turn], World]
) -> Iterator[Built]:
    """The requests of all turns, in order."""
    for turn in turns:
        yield conversation.step(turn, world_at(turn))
