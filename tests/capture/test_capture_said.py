"""What a request tells of itself."""

from inspector.capture.said import conversation


def test_a_conversation_that_no_header_names_is_named_by_the_body() -> None:
    user = '{\\"device_id\\":\\"c\\",\\"session_id\\":\\"7625961c-0a49-4a95-ab4a-e901efcc7c56\\"}'
    body = f'{{"model":"m","metadata":{{"user_id":"{user}"}},"stream":true}}'.encode()
    assert conversation(body) == "7625961c-0a49-4a95-ab4a-e901efcc7c56"
    assert conversation(b'{"messages":[{"content":"session_id"}]}') is None
