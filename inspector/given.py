"""What this machine knows to be secret: variables, the user's own patterns, the key of stand-ins.

The key stays in the data folder and never enters a store: a store that is passed on tells nothing
about what was replaced, not even to somebody who guesses it.
"""

import os
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from inspector import paths, redact
from inspector.errors import BadInput

KEY, PATTERNS = "redaction.key", "secrets.txt"
"""Files in the data folder; the second is the user's: an expression a line, `#` for remarks."""


def secrets_of(env: Mapping[str, str]) -> redact.Given:
    """What to replace. Raises `BadInput` for a pattern that is none."""
    folder = paths.data_folder(env)
    found = redact.given(env, key=_key(folder / KEY), expressions=_expressions(folder / PATTERNS))
    try:
        found.patterns  # noqa: B018 - compiled here, so that a bad one is told before anything runs
    except re.error as error:
        raise BadInput(f"{folder / PATTERNS}: {error}; correct the expression") from error
    return found


def _key(path: Path) -> bytes:
    """The key, made on first use; one that cannot be kept lasts as long as this process."""
    made = secrets.token_bytes(32)
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        whole = path.with_name(f".{KEY}-{secrets.token_hex(4)}")
        with os.fdopen(os.open(whole, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(made)
        try:
            os.link(whole, path)  # whoever comes first makes it
        except FileExistsError:
            made = path.read_bytes() or made
        finally:
            whole.unlink()
    return made


def _expressions(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: it cannot be read ({error}); correct or remove it") from error
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]
