"""What of its command line the client ends at before it asks a model anything."""

from collections.abc import Iterator
from posixpath import join

from inspector.clients import Refused
from inspector.clients.codex.config import Config
from inspector.errors import NotKept
from inspector.jsontext import loads
from inspector.workspace import Tree


def refused(tree: Tree, config: Config) -> Iterator[Refused]:
    """A schema that cannot be read (Codex 0.171.0, probe)."""
    given = config.command.last("output_schema")
    if given is None:
        return
    path = join(config.cwd, given)
    try:
        data = tree.read(path)
        if data is None:
            yield Refused(f"--output-schema {path}: it cannot be read")
        else:
            loads(data.decode("utf-8", "replace"))
    except NotKept:
        return
    except ValueError:
        yield Refused(f"--output-schema {path}: no JSON")
