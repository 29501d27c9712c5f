"""Whether somebody is logged in with an account, as far as it shows without the credential.

The file of credentials is never opened: an account in the client's state file counts where the
environment gives no key. Witness: `login_oauth`.
"""

from collections.abc import Mapping
from typing import Any

from inspector.clients.claude_code.javascript import decode
from inspector.clients.claude_code.plain import mapping
from inspector.clients.claude_code.settings import config_file, parsed
from inspector.workspace import World


def logged_in(world: World) -> bool:
    """Whether a session uses a login, and no key."""
    if world.environment.credential == "token":
        return True
    return world.environment.credential != "key" and bool(account(world))


def account(world: World) -> Mapping[str, Any]:
    """What the client's state file says of the account; nothing where a session has a key."""
    if world.environment.credential == "key":
        return {}
    config = parsed(decode(world.tree.read(config_file(world.environment)) or b""))
    return mapping(config.get("oauthAccount"))
