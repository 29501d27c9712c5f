"""What a server says of its own configuration is kept by digest."""

from hashlib import sha256

from inspector.clients import Server
from inspector.mcp_client.faults import unsaid


def digest(value: str) -> str:
    return f"sha256:{sha256(value.encode()).hexdigest()}"


def test_values_of_headers_and_of_the_environment_are_digests() -> None:
    headers, env = {"X": "Bearer abcdef", "Y": "abc"}, {"A": "value"}
    server = Server(name="a", scope="user", kind="http", headers=headers, env=env)
    said = unsaid(server, "bearer ABCDEF, Bearer, abc, value")
    assert said == f"{digest('Bearer abcdef')}, Bearer, abc, {digest('value')}"


def test_words_stay_where_nothing_is_handed_over() -> None:
    assert unsaid(Server(name="a", scope="user", kind="stdio"), "some words") == "some words"
