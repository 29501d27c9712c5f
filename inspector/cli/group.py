"""Finding a command, running it, and turning errors into one line and an exit code."""

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from keyword import iskeyword
from pathlib import Path

import click

from inspector import cli, learned
from inspector.cli import streams
from inspector.errors import InspectorError
from inspector.shelves import shelve

INTERRUPTED = 130
BROKEN_PIPE = 141
_LEARNED = learned.Learned()


class Commands(click.Group):
    """The commands, each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names, in the order of `cli.COMMANDS`."""
        return list(cli.COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command, or None for a name nobody has."""
        if cmd_name not in cli.COMMANDS:
            return None
        name = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        found: click.Command = getattr(import_module(f"inspector.cli.{name}"), name)
        return found

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The same text as the fast path prints."""
        formatter.write(cli.overview())


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--store", type=click.Path(path_type=Path, dir_okay=False))
@click.pass_context
def inspector(ctx: click.Context, store: Path | None) -> None:
    """Shows what coding agents really send to their models, and proves it."""
    ctx.obj = store


def run(words: Sequence[str]) -> int:
    """Run a command line; the exit code."""
    shelve(_LEARNED)
    return guarded(lambda: _call(words))


def guarded(act: Callable[[], int]) -> int:
    """Do it and write all it printed; what the system refuses is one line and exit 2."""
    streams.stand_in()
    try:
        code = act()
        sys.stdout.flush()
    except BrokenPipeError:
        code = _quiet()
    except OSError as error:
        code = _unreachable(error)
    except (KeyboardInterrupt, click.Abort):
        code = INTERRUPTED
    return code


def _call(words: Sequence[str]) -> int:
    try:
        # Not click's own `main`, which ends with 1 where the reader of a pipe has gone.
        with inspector.make_context("inspector", list(words)) as context:
            code = inspector.invoke(context)
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.ClickException as error:
        return _refuse(error)
    except InspectorError as error:
        click.echo(f"inspector: {error}", err=True)
        return error.exit_code
    return code if isinstance(code, int) else 0


def _refuse(error: click.ClickException) -> int:
    """One line for a command line that cannot be run as given."""
    where = "inspector"
    if isinstance(error, click.UsageError) and error.ctx is not None:
        where = error.ctx.command_path
    message = " ".join(error.format_message().split()).rstrip(".")
    click.echo(f"inspector: {message}; see `{where} --help`", err=True)
    return InspectorError.exit_code


def _unreachable(error: OSError) -> int:
    """One line for a file or socket that the system refused."""
    if error.strerror is None:
        raise error
    reason = error.strerror.lower()
    if streams.unwritten():
        line = f"standard output: {reason}; not all of it was written"
    elif error.filename is not None:
        line = f"{error.filename}: {reason}; name another place"
    elif _homeless():
        line = "the current folder: it is gone; change to one that exists"
    else:
        line = f"the system: {reason}; name another place"
    click.echo(f"inspector: {line}", err=True)
    return InspectorError.exit_code


def _homeless() -> bool:
    """Whether the folder we were started in was deleted."""
    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False


def _quiet() -> int:
    """Leave without a word when the reader of our output has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BROKEN_PIPE
