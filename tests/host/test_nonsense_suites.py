"""Suites of nonsense are read or refused."""

import random
import sys
import time
from pathlib import Path

import pytest

from spcabench.suite.load import cautions, load_resolved, load_scales, resolved_yaml
from spcabench.wording import InputError, printable

sys.path.append(str(Path(__file__).parents[1]))
from fuzzing import MOST_CPU, seeds

FOLDER = Path(__file__).parents[2] / "suites"
TEXTS = [(FOLDER / f"{name}.yaml").read_bytes() for name in ("mnist_noise", "pitprops", "smoke", "toy_outlier")]
PIECES = (
    *(b"[" * 5000, b"{a: " * 200, b"&a [*a]", b"&a [1, 2]\n", b"*a", b"!!python/object:os.system x", b"<<: *a"),
    *(b'"\\ud800"', b'"\\x1b]0;x\\x07"', b"\xff\xfe", b"\0", b"9" * 5000, b"1e999", b".nan", b"-.inf", b"2020-01-01"),
    *(b"{from: 1, to: 9999}", b"{from: -9999, to: 0}", b"{from: 1, to: 1.0e18}", b"{from: 1, to: 5, step: 0}"),
    *(b"null", b"true", b"''", b"- ", b": ", b"\t", b"\n\n", b"? ", b"|\n", b">\n", b"%YAML 9.9\n---\n", b"---\n"),
    *(b"../../outside", b"/dev/zero", b"=1+1", b"x" * 10_000, b"[1, 1]", b"[[1], [2, 3]]", b"1_000", b"0o17", b"0x1F"),
)


def bytes_changed(text, rng):
    content = bytearray(text)
    for _ in range(rng.choice((1, 3, 20))):
        content[rng.randrange(len(content))] = rng.randrange(256)
    return bytes(content)


def piece_put_in(text, rng):
    at = rng.randrange(len(text))
    return text[:at] + rng.choice(PIECES) + text[at + rng.choice((0, 0, 5)) :]


def value_replaced(text, rng):
    lines = text.split(b"\n")
    at = rng.randrange(len(lines))
    name, colon, _ = lines[at].partition(b":")
    lines[at] = name + (colon or b":") + b" " + rng.choice(PIECES)
    return b"\n".join(lines)


def spliced(text, rng):
    other = rng.choice(TEXTS)
    return text[: rng.randrange(len(text))] + other[rng.randrange(len(other)) :]


WAYS = (bytes_changed, piece_put_in, piece_put_in, value_replaced, spliced)


def check_nonsense(seed, registry, folder):
    """Make a suite of nonsense: it is read and read again, or refused."""
    rng = random.Random(seed)
    text = rng.choice(TEXTS)
    for way in rng.choices(WAYS, k=rng.choice((1, 1, 2, 4))):
        text = way(text, rng) if text else text
    file = folder / "suite.yaml"
    file.write_bytes(text)
    before = time.process_time()
    try:
        scales = load_scales(str(file), registry)
    except InputError as error:
        for fault in error.faults:
            printable(str(fault)).encode()
    else:
        for loaded in scales:
            [printable(words).encode() for words in cautions(loaded)]
            again = load_resolved(resolved_yaml(loaded.suite), file, registry)
            assert [cell.id for cell in again.plan.cells] == [cell.id for cell in loaded.plan.cells]
    spent = time.process_time() - before
    assert spent < MOST_CPU, f"{spent:.1f} s"


@pytest.mark.nightly
def test_suites_of_nonsense_are_read_or_refused(registry, tmp_path):
    for seed in seeds():
        check_nonsense(seed, registry, tmp_path)


def test_a_few_suites_of_nonsense_are_read_or_refused(registry, tmp_path):
    for seed in range(5):
        check_nonsense(seed, registry, tmp_path)
