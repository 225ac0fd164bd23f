"""YAML text -> plain data: what is read, where it stands, and what is refused before it is looked at."""

import pytest

from spcabench.suite.yaml_source import MAX_BYTES, MAX_DEPTH, read_yaml
from spcabench.wording import InputError


def refusal(content):
    with pytest.raises(InputError) as error:
        read_yaml(content if isinstance(content, bytes) else content.encode(), "f.yaml")
    (fault,) = error.value.faults
    assert fault.where == "f.yaml"
    return fault.line, fault.message


def text_faults(text):
    return [str(fault) for _, fault in read_yaml(text.encode(), "f.yaml").faults]


def test_plain_values_and_their_lines():
    read = read_yaml(b"a: 1\nb:\n  - x\n  - {c: 2.5, d: null}\ne: [true, '1', 1e-3, .5, 0x10]\n", "f.yaml")
    assert read.data == {"a": 1, "b": ["x", {"c": 2.5, "d": None}], "e": [True, "1", 1e-3, 0.5, 16]}
    assert read.faults == []
    assert read.lines[()] == 1
    assert read.lines[("b",)] == 2
    assert read.lines[("b", 1, "c")] == 4
    assert read.fault(("b", 1, "nothing"), "odd").line == 4


def test_anchors_within_bounds_are_expanded():
    assert read_yaml(b"a: &x [1, 2]\nb: *x\n", "f").data == {"a": [1, 2], "b": [1, 2]}


def test_a_byte_order_mark_is_no_content():
    assert read_yaml(b"\xef\xbb\xbfa: 1\n", "f").data == {"a": 1}


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("", None, "the file is empty"),
        (b"\xff\xfea\x00", None, "not UTF-8 text (byte 0)"),
        ("a: \x00", None, "not YAML: unacceptable character #x0000"),
        ("a: [1\nb: 2\n", 2, "not YAML: while parsing a flow sequence"),
        ("a:\n\tb: 1\n", 2, "not YAML: while scanning for the next token"),
        ("a: *b\n", 1, "not YAML: found undefined alias 'b'"),
        ("a: 1\n---\nb: 2\n", 2, "not YAML: expected a single document"),
        ("a: " + "[" * 1000, None, f"nested too deep; valid is up to {MAX_DEPTH} levels"),
        ("- " * 5000, None, f"nested too deep; valid is up to {MAX_DEPTH} levels"),
        ("a: &a [*a]\n", 1, f"nested too deep; valid is up to {MAX_DEPTH} levels"),
        ("x" * (MAX_BYTES + 1), None, f"{MAX_BYTES + 1} bytes is too large for a suite; valid is up to {MAX_BYTES}"),
        ("a: &a [x, x, x, x, x, x, x, x]\n" + "".join(
            f"{b}: &{b} [{', '.join([f'*{a}'] * 8)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
        ), None, "too large for a suite; valid is up to 5000 values, anchors expanded"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_at_all(content, line, words):
    found, message = refusal(content)
    assert words in message
    assert line is None or found == line


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\na: 2\n", 2, "the key 'a' occurs twice"),
        ("\na: 2020-01-01\n", 2, "a date is not supported, quote it"),
        ("a: !!set {x}\n", 1, "the tag 'tag:yaml.org,2002:set' is not supported"),
        ("a: !mine 3\n", 1, "the tag '!mine' is not supported"),
        ("a: !!python/name:os.system\n", 1, "python/name:os.system' is not supported"),
        ("x: &x {a: 1}\ny:\n  <<: *x\n", 3, "the merge key '<<' is not supported"),
        ("? [a, b]\n: 1\n", 1, "a key is a word, not a list or a mapping"),
        ("a: " + "9" * 10_000, 1, "is not a value that can be read"),
    ],
)
def test_values_that_are_refused(text, line, words):
    (fault,) = text_faults(text)
    assert fault.startswith(f"f.yaml:{line}: ")
    assert words in fault
    assert len(fault) < 250


def test_every_refused_value_is_reported():
    assert len(text_faults("a: !x 1\nb: 2020-01-01\nb: !!set {}\n<<: {}\n")) == 5
