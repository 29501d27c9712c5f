import hashlib
import json

from hypothesis import given
from hypothesis import strategies as st

from inspector.learn.distance import bag, distance, spelled
from inspector.learn.spotted import spotted

WORDS = "Gulls are counted\nat dawn."
DIGEST = hashlib.sha256(WORDS.encode()).hexdigest()
SEALED = f"⟦sha256:{DIGEST} {len(WORDS)}⟧"


def body(*texts: str) -> bytes:
    blocks = [{"type": "text", "text": text} for text in texts]
    return json.dumps({"system": blocks}, ensure_ascii=False, separators=(",", ":")).encode()


@given(st.lists(st.text(max_size=20), max_size=4))
def test_a_body_is_not_far_from_itself(texts: list[str]) -> None:
    assert distance(body(*texts), bag(body(*texts)), {}) == 0


def test_only_the_line_that_differs_counts_wherever_it_stands() -> None:
    sent = bag(body("tide\nquay\nmill"))
    assert distance(body("mill\ntide\nquay"), sent, {}) == 0
    assert distance(body("tide\nquay"), sent, {}) == len("mill")


def test_a_sealed_text_counts_by_its_words_where_they_are_at_hand() -> None:
    assert spelled(body(f"so: {SEALED}"), {DIGEST: WORDS}) == body(f"so: {WORDS}")
    assert distance(body(SEALED), bag(body(WORDS)), {DIGEST: WORDS}) == 0
    assert distance(body(SEALED), bag(body(WORDS)), {}) > 0


def test_a_sealed_schema_stands_for_raw_json() -> None:
    schema = '{"type":"object"}'
    digest = hashlib.sha256(schema.encode()).hexdigest()
    sealed = f'{{"input_schema":"⟦sha256:{digest} {len(schema)}⟧"}}'.encode()
    assert spelled(sealed, {digest: schema}) == b'{"input_schema":{"type":"object"}}'


def test_known_texts_are_spotted_at_the_starts_of_lines_and_raw_schemas_by_their_digest() -> None:
    schema = '{"type":"object"}'
    sent = (
        b'{"system":[{"type":"text","text":"Tides.\\n\\nGulls are counted\\nat dawn. So."}],'
        b'"messages":[],"tools":[{"name":"A","description":"d","input_schema":'
        + schema.encode()
        + b"}]}"
    )
    known = [
        {"sha256": hashlib.sha256(text.encode()).hexdigest(), "chars": len(text)}
        for text in (WORDS, schema, "nowhere")
    ]
    assert spotted([sent], known) == {known[0]["sha256"]: WORDS, known[1]["sha256"]: schema}


def test_what_moves_from_the_prompt_to_a_message_counts_in_both() -> None:
    there, here = b'{"system":"tide","messages":""}', b'{"system":"","messages":"tide"}'
    assert distance(there, bag(here), {}) == 2 * len("tide")
