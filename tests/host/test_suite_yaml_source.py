"""YAML text -> plain data: what is read, where it stands, and what is refused before it is looked at."""

import pytest

from spcabench.suite.yaml_source import MAX_BYTES, MAX_DEPTH, read_yaml, written
from spcabench.wording import InputError


def refusal(content):
    with pytest.raises(InputError) as error:
        read_yaml(content if isinstance(content, bytes) else content.encode(), "f.yaml")
    (fault,) = error.value.faults
    assert fault.where == "f.yaml"
    return fault.line, fault.message


def test_plain_values_and_their_lines():
    read = read_yaml(b"a: 1\nb:\n  - x\n  - {c: 2.5, d: null}\ne: [true, '1', 1e-3, .5, 0x10]\n", "f.yaml")
    assert read.data == {"a": 1, "b": ["x", {"c": 2.5, "d": None}], "e": [True, "1", 1e-3, 0.5, 16]}
    assert read.lines[()] == 1
    assert read.lines[("b",)] == 2
    assert read.lines[("b", 1, "c")] == 4
    assert read.fault(("b", 1, "nothing"), "odd").line == 4


def test_anchors_within_bounds_are_expanded():
    data = read_yaml(b"a: &x [1, 2]\nb: *x\n", "f").data
    data["a"].append(3)  # as an override does
    assert data == {"a": [1, 2, 3], "b": [1, 2]}


def test_what_is_written_is_read_as_it_was():
    data = {"label": "1e-3", "n": 1e-3, "text": "yes"}
    assert read_yaml(written(data).encode(), "f").data == data


def test_a_byte_order_mark_is_no_content():
    assert read_yaml(b"\xef\xbb\xbfa: 1\n", "f").data == {"a": 1}


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("", None, "the file is empty"),
        (b"\xff\xfea\x00", None, "not UTF-8 text (byte 0)"),
        ("a: \x00", None, "not YAML: unacceptable character #x0000"),
        ("a: [1\nb: 2\n", 2, "not YAML: did not find expected ',' or ']'"),
        ("a: *b\n", 1, "not YAML: found undefined alias"),
        ("a: 1\n---\nb: 2\n", 2, "not YAML: but found another document"),
        ("a: " + "[" * 5000, None, "not YAML: "),
        ("a: " + "[" * 100 + "]" * 100, 1, f"anchors expanded, and {MAX_DEPTH} levels"),
        ("a: &a [*a]\n", 1, f"anchors expanded, and {MAX_DEPTH} levels"),
        ("x" * (MAX_BYTES + 1), None, f"{MAX_BYTES + 1} bytes is too large for a suite; valid is up to {MAX_BYTES}"),
        ("a: &a [x, x, x, x, x, x, x, x]\n" + "".join(
            f"{b}: &{b} [{', '.join([f'*{a}'] * 8)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
        ), None, "too large for a suite; valid is up to 5000 values, anchors expanded"),
        ("\na: 2020-01-01\n", 2, "the tag 'tag:yaml.org,2002:timestamp' is not supported; valid are mappings, lists, "
         "text (quote a date)"),
        ("a: !!set {x}\n", 1, "the tag 'tag:yaml.org,2002:set' is not supported"),
        ("a: !!python/name:os.system\n", 1, "python/name:os.system' is not supported"),
        ("a: !!int many\n", None, "a value is not what its tag says"),
        ("? [a, b]\n: 1\n", 1, "not YAML: found unhashable key"),
        ("a: " + "9" * 10_000, 1, "is not a value that can be read"),
    ],
)  # fmt: skip
def test_what_cannot_be_read(content, line, words):
    found, message = refusal(content)
    assert words in message
    assert len(message) < 250
    assert line is None or found == line


def test_every_repeated_key_and_every_tag_is_reported_and_what_is_within_is_not():
    with pytest.raises(InputError) as error:
        read_yaml(b"a: {x: [1]}\nb: !x 1\na: {x: [2]}\nb: 2020-01-01\n", "f.yaml")
    assert [str(fault).partition(";")[0] for fault in error.value.faults] == [
        "f.yaml:2: the tag '!x' is not supported",
        "f.yaml:3: the key 'a' occurs twice",
        "f.yaml:4: the key 'b' occurs twice",
        "f.yaml:4: the tag 'tag:yaml.org,2002:timestamp' is not supported",
    ]
