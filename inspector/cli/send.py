"""`inspector send`: send one recorded request again, with your own key."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspector.cli.options import json_option, print_json, say, store_option
from inspector.errors import BadInput

if TYPE_CHECKING:
    from inspector.replay.resend import Answered, Parcel


@click.command()
@click.argument("exchange")
@click.option("--set", "sets", multiple=True, metavar="POINTER=VALUE", help="Set a value of it.")
@click.option(
    "--without", multiple=True, metavar="SEGMENT", help="Leave a segment out, by its JSON pointer."
)
@click.option("--model", help="Ask this model instead.")
@click.option("--count-tokens", is_flag=True, help="Only measure its tokens, segment by segment.")
@click.option("--base-url", default="", metavar="URL", help="Send it there (default: the API).")
@click.option("--yes", is_flag=True, help="Do not ask before anything leaves the machine.")
@store_option
@json_option
def send(  # noqa: PLR0913, PLR0917 - one parameter an option
    exchange: str,
    sets: tuple[str, ...],
    without: tuple[str, ...],
    model: str | None,
    count_tokens: bool,
    base_url: str,
    yes: bool,
    store: Path,
    as_json: bool,
) -> int:
    """Send EXCHANGE again through the API's own SDK, and show what is answered otherwise.

    It costs what the request costs. The key is yours (ANTHROPIC_API_KEY; OPENAI_API_KEY with the
    extra `inspector[openai]`); what attests to the client or names its session is left out. The
    answer is stored as a session of its own. Exit 1 where the API answers with an error.
    """
    from inspector import named
    from inspector.given import secrets_of
    from inspector.replay import resend
    from inspector.replay.edits import Edits
    from inspector.store import Store

    found = named.find_exchange(exchange, store)
    ready = resend.parcel(found, Edits(sets, without, model), base_url)
    _confirmed(ready, count_tokens=count_tokens, yes=yes)
    if count_tokens:
        return _counted(resend.count(ready), as_json=as_json)
    answer = resend.send(ready)
    session = named.holding(exchange, found, store).session
    with Store.open(store) as opened:
        client = (session.client, session.version)
        kept = resend.keep(ready, answer, client, opened, secrets_of(os.environ))
    document = _document(found.id, kept)
    if as_json:
        print_json(document)
    else:
        _print(document)
    return 0 if (kept.exchange.status or 0) < 400 else 1


def _confirmed(ready: "Parcel", *, count_tokens: bool, yes: bool) -> None:
    """Ask; where nobody can answer, nothing leaves the machine."""
    what = "counting sends" if count_tokens else "sending"
    if yes:
        return
    if not sys.stdin.isatty():
        raise BadInput(f"{what} {ready.line}: not confirmed, nothing was sent; add --yes")
    if not click.confirm(f"inspector: {what} {ready.line}. Go on?", err=True):
        raise BadInput("not confirmed; nothing was sent")


def _document(recorded: str, kept: "Answered") -> dict[str, Any]:
    from inspector.replay.resend import told

    return {
        "recorded": recorded,
        "exchange": kept.exchange.id,
        "session": kept.exchange.session,
        "status": kept.exchange.status,
        "request_changes": [
            {
                "verdict": one.verdict,
                "section": one.section,
                "path_a": one.path_a,
                "path_b": one.path_b,
                "bytes": one.size,
            }
            for one in kept.changes
        ],
        "reply": {"recorded": told(kept.recorded), "now": told(kept.now)},
    }


def _print(document: Mapping[str, Any]) -> None:
    click.echo(
        f"sent as {document['exchange']} (session {document['session']}): {document['status']}"
    )
    for change in document["request_changes"]:
        place = change["path_b"] or change["path_a"] or "the body"
        click.echo(f"request: {change['verdict']} {place}")
    recorded, now = document["reply"]["recorded"], document["reply"]["now"]
    for name in sorted({*recorded, *now}):
        if recorded.get(name) != now.get(name):
            click.echo(f"reply: {name}: {recorded.get(name)!r} → {now.get(name)!r}")
    if recorded == now:
        click.echo("reply: the same")


def _counted(counted: dict[str, Any], *, as_json: bool) -> int:
    if as_json:
        print_json(counted)
        return 0
    click.echo(f"{counted['tokens']:,} tokens, {counted['bytes']:,} bytes")
    for row in counted["segments"]:
        tokens = "not counted" if row["tokens"] is None else f"{row['tokens']:,}"
        click.echo(f"{tokens:>12}  {row['path']}  {row['name']}")
    if not counted["segments"]:
        say("nothing in tools and system to measure by itself")
    return 0
