"""The client as our child: its terminal untouched, its signals passed on, its exit code ours."""

import signal
import subprocess
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

from inspector.errors import BadInput

_FORWARDED = ("SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGWINCH")
_SHARED = ("SIGINT", "SIGQUIT")
"""The terminal sends these to the whole group: the child gets its own, ours is ignored."""


_LOOK = 0.05
"""Seconds between two looks whether a command is to be ended."""
_GRACE = 2
"""Seconds it has to end by itself, then again after it was asked to."""


def run(
    argv: Sequence[str],
    env: Mapping[str, str],
    over: Callable[[], bool] | None = None,
    stdout: int | None = None,
) -> int:
    """Run a command to its end; the exit code, 128 + N for one ended by signal N.

    Once `over` says so it is ended, if it does not end by itself. Its output goes to `stdout`.
    """
    try:
        child = subprocess.Popen(argv, env=dict(env), stdout=stdout)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadInput(f"{argv[0]}: cannot be started ({reason}); check the command") from error
    with _signals(child):
        code = child.wait() if over is None else _watched(child, over)
    return code if code >= 0 else 128 - code


def _watched(child: subprocess.Popen[bytes], over: Callable[[], bool]) -> int:
    while not over():
        with suppress(subprocess.TimeoutExpired):
            return child.wait(_LOOK)
    for end in (child.terminate, child.kill):
        with suppress(subprocess.TimeoutExpired):
            return child.wait(_GRACE)
        end()
    return child.wait()


@contextmanager
def _signals(child: subprocess.Popen[bytes]) -> Generator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def forward(number: int, _frame: FrameType | None) -> None:
        child.send_signal(number)

    def ignore(_number: int, _frame: FrameType | None) -> None:
        """Not SIG_IGN: a program started later would inherit that."""

    before: dict[int, signal._HANDLER] = {}
    for names, handler in ((_FORWARDED, forward), (_SHARED, ignore)):
        for name in names:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old if old is not None else signal.SIG_DFL)
