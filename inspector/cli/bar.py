"""A progress bar for work in steps, on standard error where that is a terminal."""

from collections.abc import Callable, Generator
from contextlib import contextmanager


@contextmanager
def steps(label: str) -> Generator[Callable[[int, int], None]]:
    """Gives what is to be told the steps done and their number."""
    from inspector import terminal

    console = terminal.console(stderr=True)
    if not console.is_terminal:
        yield lambda _done, _all: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(label, total=None)
        yield lambda done, all_: progress.update(task, completed=done, total=all_)
