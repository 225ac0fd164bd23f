"""Hostile suites are refused in words, in little time, and nothing is run; suites of nonsense are read or refused."""

import random
import re
import time
from pathlib import Path

import pytest
from fuzzing import MOST_CPU, seeds

from spcabench.suite.load import cautions, load_resolved, load_scales, resolved_yaml
from spcabench.wording import InputError, printable

FOLDER = Path(__file__).parents[2] / "suites"
TEXTS = [(FOLDER / f"{name}.yaml").read_bytes() for name in ("mnist_noise", "pitprops", "smoke", "toy_outlier")]
SMOKE = TEXTS[2]
TAG = '!!python/object/apply:os.system ["touch pwned"]'
LAUGHS = "a0: &a0 [lol, lol, lol]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 12))
HOSTILE = {
    "empty": b"",
    "latin-1": b"title: caf\xe9\n",
    "30,000 brackets closed": b"[" * 30_000 + b"]" * 30_000,
    "billion laughs": LAUGHS.encode(),
    "cyclic mapping": b"&a\nname: *a\n",
    "long name": b"name: " + b"a" * 60_000 + b"\n",
    "many keys": b"".join(b"key%d: 1\n" % i for i in range(60)),
    "tag": SMOKE + f"\nextra: {TAG}\n".encode(),
    "scales: null": SMOKE + b"\nscales: null\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused(name, place, command):
    (place / "mutant.yaml").write_bytes(HOSTILE[name])
    code, out, err = command("run", "mutant.yaml")
    assert (code, out) == (2, ""), err
    lines = err.splitlines()
    if name == "many keys":
        assert re.fullmatch(r"error: and \d+ more; they may go when these are mended", lines.pop())
        assert len(lines) == 50
    assert lines
    assert len(set(lines)) == len(lines)
    assert all(line.startswith("error: mutant.yaml") and len(line) < 700 for line in lines), (
        "a message names the file and fits a screen"
    )
    assert [file.name for file in place.iterdir()] == ["mutant.yaml"]


def test_a_process_refuses_it_and_loads_nothing_heavy(place, process):
    (place / "mutant.yaml").write_bytes(HOSTILE["billion laughs"])
    code = """
import sys
from spcabench.cli import main
sys.argv = ["spcabench", "plan", "--check", "mutant.yaml"]
try:
    main()
except SystemExit as ended:
    heavy = [name for name in ("numba", "sklearn", "scipy", "pandas", "altair", "dask") if name in sys.modules]
    sys.exit(f"loaded {heavy}" if heavy else ended.code)
"""
    ended = process("-c", code, python=True)
    assert ended.returncode == 2, ended.stderr[-300:]
    assert [file.name for file in place.iterdir()] == ["mutant.yaml"]


def test_what_is_no_file_is_refused(place, command):
    (place / "loop.yaml").symlink_to("loop.yaml")
    code, _, err = command("plan", "loop.yaml")
    assert code == 2
    assert err.startswith("error: loop.yaml: ")


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
