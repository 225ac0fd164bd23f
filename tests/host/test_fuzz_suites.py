"""Suites of all kinds of nonsense: read or refused in words, without a traceback, in little time."""

import random
import sys
import time
from pathlib import Path

import pytest
import yaml

from spcabench.errors import InputError
from spcabench.printable import printable
from spcabench.suite.load import cautions, load_resolved, load_scales, resolved_yaml

sys.path.append(str(Path(__file__).parents[1]))
from fuzzing import MOST_CPU, seeds

FOLDER = Path(__file__).parents[2] / "suites"
TEXTS = {name: (FOLDER / f"{name}.yaml").read_bytes() for name in ("mnist_noise", "pitprops", "smoke", "toy_outlier")}
PIECES = (
    *(b"[" * 5000, b"{a: " * 200, b"&a [*a]", b"&a [1, 2]\n", b"*a", b"!!python/object:os.system x", b"<<: *a"),
    *(b'"\\ud800"', b'"\\x1b]0;x\\x07"', b"\xff\xfe", b"\0", b"9" * 5000, b"1e999", b".nan", b"-.inf", b"2020-01-01"),
    *(b"{from: 1, to: 9999}", b"{from: -9999, to: 0}", b"{from: 1, to: 1.0e18}", b"{from: 1, to: 5, step: 0}"),
    *(b"null", b"true", b"''", b"- ", b": ", b"\t", b"\n\n", b"? ", b"|\n", b">\n", b"%YAML 9.9\n---\n", b"---\n"),
    *(b"../../outside", b"/dev/zero", b"=1+1", b"x" * 10_000, b"[1, 1]", b"[[1], [2, 3]]", b"1_000", b"0o17", b"0x1F"),
)
JUNK = (None, True, -1, 0, 10**400, 1e308, float("nan"), "", "x" * 500, [], {}, [[]], [None], {"from": 1, "to": 9999})


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


def lines_moved(text, rng):
    lines = text.split(b"\n")
    for _ in range(rng.choice((1, 5))):
        lines.insert(rng.randrange(len(lines)), lines[rng.randrange(len(lines))])
        del lines[rng.randrange(len(lines))]
    return b"\n".join(lines)


def cut(text, rng):
    return text[: rng.randrange(len(text))]


def spliced(text, rng):
    other = TEXTS[rng.choice(sorted(TEXTS))]
    return text[: rng.randrange(len(text))] + other[rng.randrange(len(other)) :]


def structure_changed(text, rng):
    data = yaml.safe_load(text)
    for _ in range(rng.choice((1, 2, 5))):
        inside = data
        while isinstance(inside, dict | list) and inside:
            key = rng.choice(sorted(inside) if isinstance(inside, dict) else range(len(inside)))
            if not isinstance(inside[key], dict | list) or rng.random() < 0.3:
                inside[key] = rng.choice(JUNK)
                break
            inside = inside[key]
    return yaml.safe_dump(data, allow_unicode=True).encode("utf-8", "backslashreplace")


WAYS = (bytes_changed, piece_put_in, piece_put_in, value_replaced, lines_moved, cut, spliced, structure_changed)


def check(seed, registry, folder):
    """Make a suite of nonsense and read it."""
    rng = random.Random(seed)
    text = TEXTS[rng.choice(sorted(TEXTS))]
    ways = [rng.choice(WAYS)]
    if ways[0] is not structure_changed:
        ways += rng.choices([way for way in WAYS if way is not structure_changed], k=rng.choice((0, 0, 1, 3)))
    for way in ways:
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
            [printable(words).encode() for words in cautions(loaded, registry)]
            again = load_resolved(resolved_yaml(loaded.suite), file, registry)
            assert [cell.id for cell in again.plan.cells] == [cell.id for cell in loaded.plan.cells]
    spent = time.process_time() - before
    assert spent < MOST_CPU, f"{spent:.1f} s: {[way.__name__ for way in ways]}"


@pytest.mark.nightly
def test_suites_of_nonsense_are_read_or_refused(registry, tmp_path):
    for seed in seeds():
        try:
            check(seed, registry, tmp_path)
        except BaseException:
            print(f"the suite that failed: FUZZ=1 FUZZ_SEED={seed}, {tmp_path / 'suite.yaml'}")
            raise


@pytest.mark.parametrize("seed", range(20))
def test_a_score_of_suites_of_nonsense_is_read_or_refused(registry, tmp_path, seed):
    check(seed, registry, tmp_path)
