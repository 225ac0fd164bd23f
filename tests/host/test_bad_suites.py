"""Hostile suites: refused in words, in little time, and nothing is run."""

import random
import re
from pathlib import Path

import pytest

from spcabench.suite.load import load_scales
from spcabench.wording import InputError, printable

SMOKE = (Path(__file__).parents[2] / "suites" / "smoke.yaml").read_bytes()
SCALED = """\
name: scaled
datasets: [{name: spiked, params: {n: {from: 40, to: 60, step: 10}, d: 30}}]
methods: [pca, {name: rspca, params: {p: [0, 1]}}]
n_components: 2
n_nonzero: {from: 3, to: 9, step: 2}
metrics: [cpev]
"""
TAGS = ('!!python/object/apply:os.system ["touch pwned"]', "!!python/object/new:os.system [touch pwned]",
        "!!python/name:os.system", "!!python/tuple [1, 2]", "!!omap [a: 1]", "!!map pitprops", "!!seq {a: 1}",
        "!!int many", "!!bool perhaps", "!<tag:example.org,2020:thing> 3")  # fmt: skip
BAD_SCALES = ("3", "null", "[quick]", "{quick: null}", "{default: {}}", "{../../x: {}}", "{quick: &a {seeds: *a}}",
              "{quick: {scales: {quick: {}}}}", "{quick: {<<: {seeds: 1}}}", "{? [quick] : {}}")  # fmt: skip
LAUGHS = "a0: &a0 [lol, lol, lol]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 12))
HOSTILE = {
    "empty": b"",
    "binary": random.Random(0).randbytes(4000),
    "latin-1": b"title: caf\xe9\n",
    "escape codes": b"name: \x1b[31mred\n",
    "30,000 brackets closed": b"[" * 30_000 + b"]" * 30_000,
    "questions": b"? " * 30_000,
    "billion laughs": LAUGHS.encode(),
    "cyclic mapping": b"&a\nname: *a\n",
    "6 10^4 digits": b"n_components: " + b"9" * 60_000 + b"\n",
    "long name": b"name: " + b"a" * 60_000 + b"\n",
    "many keys": b"".join(b"key%d: 1\n" % i for i in range(2400)),
    "many methods": b"methods: [" + b", ".join(b"tpow%d" % i for i in range(4900)) + b"]\n",
    **{tag: SMOKE + f"\nextra: {tag}\n".encode() for tag in TAGS},
    **{f"scales: {bad}": f"{SCALED}scales: {bad}\n".encode() for bad in BAD_SCALES},
}
FEW = ("empty", "latin-1", "30,000 brackets closed", "billion laughs", "cyclic mapping", TAGS[0], "scales: null")


def check_lines(lines):
    assert lines
    assert len(set(lines)) == len(lines)
    assert all("mutant.yaml" in line and len(line) < 700 for line in lines), (
        "a message names the file and fits a screen"
    )


def refused(place, command, content, *verb):
    (place / "mutant.yaml").write_bytes(content)
    code, out, err = command(*verb, "mutant.yaml")
    assert (code, out) == (2, ""), err
    lines = err.splitlines()
    if re.fullmatch(r"error: and \d+ more; they may go when these are mended", lines[-1]):
        assert len(lines) == 51
        lines.pop()
    assert all(line.startswith("error: mutant.yaml") for line in lines)
    check_lines(lines)
    assert [file.name for file in place.iterdir()] == ["mutant.yaml"]


@pytest.mark.parametrize("name", FEW)
def test_a_hostile_file_is_refused(name, place, command):
    refused(place, command, HOSTILE[name], "run")


@pytest.mark.nightly
def test_every_hostile_file_is_refused(place, registry):
    for name, content in HOSTILE.items():
        Path("mutant.yaml").write_bytes(content)
        with pytest.raises(InputError) as error:
            pytest.fail(f"{name} is read: {load_scales('mutant.yaml', registry)[0].suite}")
        check_lines([printable(str(fault)) for fault in error.value.faults])
    assert [file.name for file in place.iterdir()] == ["mutant.yaml"]


@pytest.mark.parametrize("name", ["billion laughs", pytest.param("binary", marks=pytest.mark.nightly)])
def test_a_process_refuses_it_and_loads_nothing_heavy(name, place, process):
    (place / "mutant.yaml").write_bytes(HOSTILE[name])
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
