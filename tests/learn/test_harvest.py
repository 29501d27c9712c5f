import hashlib
import json

from inspector.learn import harvest
from inspector.text import Kind, Known, KnownJson, Origin, Piece, Text, Value, encode, text
from inspector.verify import compare

PROSE = 'You are "a" coding agent.\n' * 20
TOOLS = '[{"name":"Bash","n":1.0}]'
FILE = Origin(Kind.FILE, "/ws/CLAUDE.md")


def known(name: str, words: str) -> Known:
    return Known(Kind.KNOWN, name, hashlib.sha256(words.encode()).hexdigest(), len(words))


def value() -> Value:
    prose = known("system", PROSE)
    return {
        "system": Text((Piece(prose.placeholder, prose),)) + text("!", FILE),
        "tools": KnownJson(known("tools", TOOLS)),
    }


def test_the_words_of_a_raw_capture_are_harvested_by_digest() -> None:
    captured = f'{{"system":{json.dumps(PROSE + "!")},"tools":{TOOLS}}}'.encode()
    comparison = compare(encode(value()), captured)
    assert comparison.equal
    assert harvest(comparison, captured) == {
        known("", PROSE).sha256: PROSE,
        known("", TOOLS).sha256: TOOLS,
    }


def test_harvested_words_build_the_raw_body_again() -> None:
    captured = f'{{"system":{json.dumps(PROSE + "!")},"tools":{TOOLS}}}'.encode()
    words = harvest(compare(encode(value()), captured), captured)
    assert encode(value(), words).body == captured


def test_a_sealed_capture_gives_no_words() -> None:
    built = encode(value())
    assert harvest(compare(built, built.body), built.body) == {}
