"""Suites that are wrong, 500 of them, and suites of nonsense: refused in words, in little time, and nothing is run."""

import copy
import random
import re
import sys
from itertools import count
from pathlib import Path

import pytest
import yaml

from spcabench.suite.load import load_scales
from spcabench.wording import InputError, printable

sys.path.append(str(Path(__file__).parents[1]))

FOLDER = Path(__file__).parents[2] / "suites"
TEXTS = {name: (FOLDER / f"{name}.yaml").read_bytes() for name in ("mnist_noise", "pitprops", "smoke", "toy_outlier")}
SCALED = """\
name: scaled
datasets:
  - {name: spiked, label: spikes, params: {n: {from: 40, to: 60, step: 10}, d: 30}}
methods: [pca, {name: rspca, params: {p: [0, 1]}}]
n_components: 2
n_nonzero: {from: 3, to: 9, step: 2}
seeds: {from: 0, to: 2}
metrics: [cpev]
scales:
  quick: {seeds: 1, n_nonzero: 3, methods.rspca.params.p: 0}
  full:
    seeds: {from: 0, to: 9}
    datasets.spikes.params.n: {from: 40, to: 400, step: 40}
    datasets.0.params.d: [30, 60]
    limits.time: 60
    methods.1.params.max_iter: {from: 5, to: 6}
"""
JUNK = ({"junk": 1}, [[]], float("nan"), float("-inf"), 10**400, [{"kind": {"kind": [None]}}])
"""Values that are wrong wherever they stand."""
BAD_PATHS = ("", ".", "seeds.", "seeds..x", "name.x", "datasets.7.label", "methods.-1", "scales.quick.seeds", "\0",
             "methods.nothing.params.p", "datasets." + "9" * 5000, "a." * 500)  # fmt: skip
TAGS = ('!!python/object/apply:os.system ["touch pwned"]', "!!python/object/new:os.system [touch pwned]",
        "!!python/name:os.system", "!!python/tuple [1, 2]", "!!omap [a: 1]", "!!map pitprops", "!!seq {a: 1}",
        "!!int many", "!!bool perhaps", "!<tag:example.org,2020:thing> 3")  # fmt: skip
BAD_SCALES = ("3", "null", "[quick]", "{quick: null}", "{default: {}}", "{../../x: {}}", "{quick: &a {seeds: *a}}",
              "{quick: {scales: {quick: {}}}}", "{quick: {<<: {seeds: 1}}}", "{? [quick] : {}}")  # fmt: skip
LAUGHS = "a0: &a0 [lol, lol, lol]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 12))
HOSTILE = {
    "empty": b"",
    "list": b"- a\n- b\n",
    "two documents": b"name: a\n---\nname: b\n",
    "binary": random.Random(0).randbytes(4000),
    "only null bytes": b"\0" * 1000,
    "latin-1": b"title: caf\xe9\n",
    "utf-16": "name: a\n".encode("utf-16"),
    "escape codes": b"name: \x1b[31mred\n",
    "60,000 brackets": b"[" * 60_000,
    "30,000 brackets closed": b"[" * 30_000 + b"]" * 30_000,
    "15,000 braces": b"{a: " * 15_000,
    "questions": b"? " * 30_000,
    "billion laughs": LAUGHS.encode(),
    "cyclic mapping": b"&a\nname: *a\n",
    "cyclic params": b"methods: [{name: pca, params: &p {tol: *p}}]\n",
    "6 10^4 digits": b"n_components: " + b"9" * 60_000 + b"\n",
    "6 10^4 hexadecimal digits": b"n_components: 0x" + b"f" * 60_000 + b"\n",
    "sexagesimal": b"n_components: " + b"1:" * 20_000 + b"1\n",
    "long name": b"name: " + b"a" * 60_000 + b"\n",
    "long key": b"? " + b"a" * 60_000 + b"\n: 1\n",
    "many keys": b"".join(b"key%d: 1\n" % i for i in range(2400)),
    "many methods": b"methods: [" + b", ".join(b"tpow%d" % i for i in range(4900)) + b"]\n",
    **{tag: TEXTS["smoke"] + f"\nrepeats: {tag}\n".encode() for tag in TAGS},
    **{f"scales: {bad}": f"{SCALED.partition('scales:')[0]}scales: {bad}\n".encode() for bad in BAD_SCALES},
}
FEW = ("empty", "latin-1", "30,000 brackets closed", "billion laughs", "cyclic mapping", TAGS[0], "scales: null")


def paths(data, at=()):
    """Return the path of every value within."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield (*at, key)
        yield from paths(value, (*at, key))


def inside(data, path):
    for step in path:
        data = data[step]
    return data


def chosen(data, rng, wanted):
    """Return a path of those that are wanted."""
    return rng.choice([path for path in paths(data) if wanted(path, inside(data, path))])


def put(data, path, value):
    inside(data, path[:-1])[path[-1]] = value


def rename(mapping, old, new):
    items = [(new if key == old else key, value) for key, value in mapping.items()]
    mapping.clear()
    mapping.update(items)


def wrong_value(data, rng):
    put(data, chosen(data, rng, lambda path, _: path[0] != "scales" or len(path) > 1), rng.choice(JUNK))


def misspelt_key(data, rng):
    *outer, key = chosen(data, rng, lambda path, _: isinstance(path[-1], str) and path[:1] != ("scales",))
    rename(inside(data, outer), key, f"q{key}")


def missing_key(data, rng):
    def is_needed(path, _):
        at_top = len(path) == 1 and path[0] in ("name", "datasets", "methods", "n_components", "n_nonzero", "metrics")
        of_entry = len(path) > 1 and path[-1] == "name" and "params" not in path
        return at_top or of_entry or (path[0] == "published" and path[-1] in ("source", "rows", "method"))

    *outer, key = chosen(data, rng, is_needed)
    del inside(data, outer)[key]


def unknown_name(data, rng):
    kind = rng.choice(["datasets", "methods", "metrics"])
    path = (kind, rng.randrange(len(data[kind])))
    put(data, (*path, "name") if isinstance(inside(data, path), dict) else path, f"q{rng.randrange(10**6)}")


def unknown_reference(data, rng):
    path = chosen(data, rng, lambda path, _: (path[0], path[-1]) == ("published", "method")
                  or (path[0] == "report" and isinstance(path[-1], int)) or path == ("metrics", 0))  # fmt: skip
    put(data, path, f"q{inside(data, path)}")


def bad_number(data, rng):
    def is_number(path, value):
        return type(value) in (int, float) and path[0] not in ("published", "report")

    put(data, chosen(data, rng, is_number), rng.choice([-7, -0.5, 1e30, 10**30]))


def empty_list(data, rng):
    path = chosen(
        data, rng, lambda path, value: isinstance(value, list) and path[0] not in ("report", "published", "claims")
    )
    put(data, path, [])


def repeated(data, rng):
    kind = rng.choice(["datasets", "methods", "metrics"])
    data[kind].append(copy.deepcopy(rng.choice(data[kind])))


def misspelt_path(data, rng):
    scale = data["scales"][rng.choice(["quick", "full"])]
    path = rng.choice(list(scale))
    steps = path.split(".")
    steps[rng.randrange(len(steps))] += rng.choice("qxyz")
    rename(scale, path, ".".join(steps))


def bad_path(data, rng):
    data["scales"][rng.choice(["quick", "full"])][rng.choice(BAD_PATHS)] = rng.choice([1, "x", [1], {"x": 1}])


def bad_range(data, rng):
    ends = inside(data, chosen(data, rng, lambda _, value: isinstance(value, dict) and "from" in value))
    wrong = {"from": [10**9, "x", None, 0.5], "to": [-1, 10**9, "9", True, 10**299], "step": [0, -1, 0.5, [1]]}
    key = rng.choice(sorted(wrong))
    if rng.random() < 0.3:
        ends[f"{key}q"] = 1
    else:
        ends[key] = rng.choice(wrong[key])


KINDS = (wrong_value, misspelt_key, missing_key, unknown_name, unknown_reference, bad_number, empty_list, repeated)
SCALE_KINDS = (misspelt_path, bad_path, bad_range)
BASES = {name: yaml.safe_load(TEXTS[name]) for name in ("mnist_noise", "pitprops", "smoke")}


def mutant(number):
    """Return the name and the text of a suite with one thing wrong, always the same."""
    kinds = (*KINDS, *SCALE_KINDS)
    kind = kinds[number % len(kinds)]
    base = sorted(BASES)[number % len(BASES)]
    data = yaml.safe_load(SCALED) if kind in SCALE_KINDS else copy.deepcopy(BASES[base])
    data.pop("scales", None) if kind in KINDS else None
    kind(data, random.Random(number))
    return f"{kind.__name__} {number}", yaml.safe_dump(data, sort_keys=False).encode()


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


def test_what_scales_are_mutated_in_is_sound(place, command):
    (place / "scaled.yaml").write_text(SCALED)
    said = "scaled.yaml: well formed, 81 cells, quick 6, full 3400\n"
    assert command("plan", "scaled.yaml", "--check") == (0, said, "")


@pytest.mark.parametrize("name", FEW)
def test_a_hostile_file_is_refused(name, place, command):
    refused(place, command, HOSTILE[name], "run")


@pytest.mark.parametrize("number", range(len(KINDS) + len(SCALE_KINDS)))
def test_one_suite_of_each_kind_of_mistake_is_refused(number, place, command):
    refused(place, command, mutant(number)[1], "plan", "--check")


@pytest.mark.parametrize(
    "most", [pytest.param(100, marks=pytest.mark.nightly), pytest.param(500, marks=pytest.mark.weekly)]
)
def test_hundreds_of_bad_suites_are_refused(most, place, registry):
    seen = {}
    for number in count():
        name, content = mutant(number)
        seen.setdefault(content, name)
        if len(seen) + len(HOSTILE) == most:
            break
    for content, name in [*((text, name) for name, text in HOSTILE.items()), *seen.items()]:
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
    (place / "folder.yaml").mkdir()
    assert command("plan", "folder.yaml") == (2, "", "error: folder.yaml: a folder, where a suite file is wanted\n")
    (place / "loop.yaml").symlink_to("loop.yaml")
    code, _, err = command("plan", "loop.yaml")
    assert code == 2
    assert err.startswith("error: loop.yaml: ")
