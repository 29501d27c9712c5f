"""Folders added on the command line: what the client calls what it finds in them."""

from inspector.clients.claude_code.options import options
from inspector.clients.claude_code.settings import absolute
from inspector.workspace import Environment


def scope(base: str, environment: Environment) -> str:
    """The name of a folder in or below an added one: the added folder's own, then the way down."""
    cwd = environment.cwd.rstrip("/") + "/"
    if base.startswith(cwd):
        return base[len(cwd) :]
    folders = [
        absolute(path, environment.cwd) for path in options(environment.argv).all("--add-dir")
    ]
    inside = [folder for folder in folders if f"{base}/".startswith(folder.rstrip("/") + "/")]
    if not inside:
        return ""
    folder = max(inside, key=len)
    name = folder.rpartition("/")[2]
    twins = [other for other in folders if other != folder and other.rpartition("/")[2] == name]
    if twins:
        name = f"{folder.rpartition('/')[0].rpartition('/')[2]}/{name}"
    rest = base[len(folder.rstrip("/")) :].strip("/")
    return f"{name}/{rest}" if rest else name
