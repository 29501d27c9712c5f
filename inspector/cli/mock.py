"""`inspector mock`: serve a script as a model, on loopback."""

import signal
import sys
import threading
from pathlib import Path

import click


def _schema(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from inspector.cli.options import print_json
        from inspector.mock import Script

        print_json(Script.model_json_schema())
        ctx.exit()


@click.command()
@click.option(
    "--schema",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_schema,
    help="Print the JSON Schema of scripts, for editors.",
)
@click.argument("script", type=click.Path(path_type=Path))
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port; 0 picks a free one.")
@click.option("--log", type=click.Path(path_type=Path), help="Append a line for each main request.")
@click.option("--run", type=int, default=0, help="Number of this run; it goes into every id.")
@click.option("--hole", multiple=True, metavar="NAME=TEXT", help="Replace {NAME} in the script.")
def mock(script: Path, port: int, log: Path | None, run: int, hole: tuple[str, ...]) -> None:
    """Serve SCRIPT as a model: Anthropic Messages and OpenAI Responses, no key, no network.

    SCRIPT is YAML or JSON: a list with one reply per main request, or {replies, sub, aux, expect,
    counts: tokens or an error for each count, websocket: accept | refuse | fail}.
    A reply has text, thinking, redacted, tools: [{name, input}], usage, stop, error, delay, pause
    and cut; for Codex also reasoning, shell, patch, mcp with input, js, custom and items. `expect`,
    of the script or of a reply, says what the client must have sent (docs/mock.md); exit 1 if not.
    """
    from inspector import mock as server

    with server.serve(server.script(script, holes(hole)), port=port, log=log, run=run) as running:
        ended = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda _number, _frame: ended.set())
        click.echo(running.url)  # whoever reads it may end us at once
        sys.stdout.flush()
        ended.wait()
        complaint = running.complaint()
        if surplus := running.surplus():
            click.echo(f"inspector: {surplus}", err=True)
    if complaint:
        click.echo(complaint, err=True)
        sys.exit(1)


def holes(pairs: tuple[str, ...]) -> dict[str, str]:
    """`NAME=TEXT` options as what stands for `{NAME}` in a script."""
    split = [pair.partition("=") for pair in pairs]
    if wrong := [name for name, equals, _ in split if not equals]:
        raise click.UsageError(f"--hole {wrong[0]}: write NAME=TEXT")
    return {"{" + name + "}": text for name, _, text in split}
