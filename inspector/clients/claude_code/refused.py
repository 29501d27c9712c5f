"""What of its command line the client ends at before it asks a model anything."""

from collections.abc import Callable, Iterator, Mapping

from inspector.clients import Refused
from inspector.clients.claude_code.options import Options, options
from inspector.clients.claude_code.plain import is_mapping
from inspector.jsontext import read
from inspector.workspace import World


def refused(world: World) -> Iterator[Refused]:
    """Each option with the reason."""
    given = options(world.environment.argv)
    for option, test in _TESTS.items():
        for fault in test(given, option):
            yield Refused(f"{option}: {fault}", sent=option != "--json-schema")


type _Test = Callable[[Options, str], Iterator[str]]


def _object(given: Options, option: str) -> Iterator[str]:
    value = given.value(option)
    if value is not None and not _is_object(value):
        yield "no JSON object"


def _is_object(source: str) -> bool:
    try:
        return is_mapping(read(source))
    except ValueError:
        return False


_TESTS: Mapping[str, _Test] = {"--json-schema": _object}
