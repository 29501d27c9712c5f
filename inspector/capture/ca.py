"""Our certificate authority and the bundles that trust it.

Rule: nothing enters the system's trust store. The child gets one bundle file with the system's
roots, the certificates the user had already added, and ours; upstream servers are verified against
the same bundle without ours.
"""

import hashlib
import os
import re
import ssl
import tempfile
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from inspector import paths
from inspector.errors import BadInput

CA_NAMES = (
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "CODEX_CA_CERTIFICATE",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
)
"""Variables by which users add a company CA, and by which a child learns ours."""

_FOLDER = "SSL_CERT_DIR"
"""Names a folder of certificates; Codex and OpenSSL read it."""

_BLOCK = re.compile(rb"-----BEGIN (?:TRUSTED )?CERTIFICATE-----.+?-----END [A-Z ]+-----", re.DOTALL)

_SYSTEM = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)


@dataclass(frozen=True, slots=True)
class Authority:
    """Where the CA and its bundles are."""

    folder: Path
    bundle: Path
    """For the child: roots and ours."""
    roots: Path
    """For upstream servers: roots only."""


def authority(data: Path, env: Mapping[str, str]) -> Authority:
    """Our CA in the data folder, made on first use, and bundles for this environment."""
    folder = (data / "ca").absolute()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        ours = _certificate(folder)
        roots = b"\n".join(_roots(env))
        return Authority(
            folder,
            bundle=_put(folder, "bundle", roots + b"\n" + ours),
            roots=_put(folder, "roots", roots),
        )
    except OSError as error:
        raise BadInput(
            f"{folder}: the CA cannot be kept there ({error.strerror}); set INSPECTOR_DATA"
        ) from error


@contextmanager
def at_hand(data: Path, env: Mapping[str, str], say: Callable[[str], None]) -> Generator[Authority]:
    """Our CA for one capture: that of the data folder, or else one that goes with the capture."""
    try:
        found = authority(data, env)
    except BadInput as error:
        with tempfile.TemporaryDirectory(prefix="inspector-") as folder:
            found = authority(Path(folder), env)
            say(f"{error}; until then each capture makes its own")
            yield found
    else:
        yield found


def broken(env: Mapping[str, str]) -> list[str]:
    """What is wrong with the CA files an environment names, a line each."""
    out: list[str] = []
    for name in (*CA_NAMES, _FOLDER):
        path = env.get(name)
        if path:
            out += [f"{name}: {path}: {fault}" for fault in _faults(name, Path(path))]
    return out


def _faults(name: str, path: Path) -> Iterable[str]:
    if name == _FOLDER:
        if not path.is_dir():
            yield "no such folder; correct it or unset it"
        return
    try:
        data = path.read_bytes()
    except OSError as error:
        yield f"cannot be read ({error.strerror}); correct it or unset it"
        return
    try:
        ssl.create_default_context(cadata=_ascii(data))
    except (ssl.SSLError, ValueError):
        yield "holds no certificate in PEM form; correct it or unset it"


def _ascii(data: bytes) -> str:
    """The certificates alone: bundles have comments in any encoding between them."""
    found = _BLOCK.findall(data)
    if not found:
        raise ValueError
    return b"\n".join(found).decode("ascii")


def _certificate(folder: Path) -> bytes:
    path = folder / "mitmproxy-ca-cert.pem"
    if not path.exists():
        _make(folder)
    return path.read_bytes()


def _make(folder: Path) -> None:
    """Make the CA beside its place and move it in whole, the certificate last.

    Two first runs at once must end with one key and its own certificate: the key file is linked in
    only if there is none yet, and the certificate is written from the key file that won.
    """
    from mitmproxy.certs import Cert, CertStore

    with tempfile.TemporaryDirectory(dir=folder) as name:
        made = Path(name)
        cast("Any", CertStore).create_store(made, "mitmproxy", 2048)
        key = folder / "mitmproxy-ca.pem"
        try:
            os.link(made / key.name, key)
        except FileExistsError:
            pass
        except OSError:  # a file system without hard links
            (made / key.name).replace(key)
        certificate = made / "won.pem"
        certificate.write_bytes(Cert.from_pem(key.read_bytes()).to_pem())
        certificate.replace(folder / "mitmproxy-ca-cert.pem")


def _roots(env: Mapping[str, str]) -> Iterable[bytes]:
    """The system's roots first, then every bundle the user names, each once."""
    seen: set[bytes] = set()
    named = (env.get(name) for name in CA_NAMES)
    for path in (_system(), *named, *_in_folder(env.get(_FOLDER))):
        content = _read(path) if path else b""
        if content and content not in seen:
            seen.add(content)
            yield content


def _system() -> str | None:
    default = ssl.get_default_verify_paths()
    for path in (default.openssl_cafile, *_SYSTEM):
        if Path(path).is_file():
            return path
    import certifi

    return certifi.where()


def _in_folder(path: str | None) -> list[str]:
    """The certificates of a folder; links to one of them say nothing new."""
    if not path:
        return []
    try:
        files = sorted(file for file in Path(path).iterdir() if file.suffix in (".pem", ".crt"))
    except OSError:
        return []
    return [str(file) for file in files if file.is_file()]


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes().strip()
    except OSError:
        return b""


def _put(folder: Path, name: str, content: bytes) -> Path:
    """A file named by its content: concurrent runs never see half of one."""
    path = folder / f"{name}-{hashlib.sha256(content).hexdigest()[:16]}.pem"
    if not path.exists():
        paths.write(path, content)
    return path
