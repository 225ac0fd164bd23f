"""Suites that are wrong, 280 of them: each ends in exit code 2 and words, runs nothing, and loads nothing heavy.

The fast set has one of each kind, the nightly set all.
"""

import base64
import copy
import itertools
import random
import re
from pathlib import Path

import pytest
import yaml

FOLDER = Path(__file__).parents[2] / "suites"
BASES = ("mnist_noise", "mnist_outlier", "pitprops", "smoke", "spcart_pitprops")
SUITES = {name: (FOLDER / f"{name}.yaml").read_text() for name in BASES}
COUNT = 200
SCALED_COUNT = 80
PWN = "pwned"

JUNK = (
    {"junk": 1},
    [[]],
    float("nan"),
    float("-inf"),
    10**400,
    [{"kind": {"kind": [None]}}],
)
"""Values that are wrong wherever they stand."""


def paths(data, at=()):
    """Return the path of every value within."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield (*at, key)
        yield from paths(value, (*at, key))


def value_at(data, path):
    for step in path:
        data = data[step]
    return data


def replaced(data, path, value):
    value_at(data, path[:-1])[path[-1]] = value
    return data


def renamed(mapping, old, new):
    items = [(new if key == old else key, value) for key, value in mapping.items()]
    mapping.clear()
    mapping.update(items)


def wrong_value(data, rng):
    return replaced(data, rng.choice(list(paths(data))), rng.choice(JUNK))


def misspelt_key(data, rng):
    *outer, key = rng.choice([path for path in paths(data) if isinstance(path[-1], str)])
    renamed(value_at(data, outer), key, f"q{key}")
    return data


def missing_key(data, rng):
    needed = [(key,) for key in ("name", "datasets", "methods", "n_components", "n_nonzero", "metrics")]
    needed += [
        path for path in paths(data) if path[0] == "published" and path[-1] in ("source", "rows", "method", "metrics")
    ]
    needed += [path for path in paths(data) if path[-1] == "name" and "params" not in path]
    *outer, key = rng.choice(needed)
    del value_at(data, outer)[key]
    return data


def unknown_name(data, rng):
    entries = [(kind, i) for kind in ("datasets", "methods", "metrics") for i in range(len(data[kind]))]
    path = rng.choice(entries)
    entry = value_at(data, path)
    return replaced(data, (*path, "name") if isinstance(entry, dict) else path, f"q{rng.randrange(10**6)}")


def unknown_reference(data, rng):
    places = [path for path in paths(data) if path[0] == "published" and path[-1] == "method"]
    places += [path for path in paths(data) if path[0] == "report" and isinstance(path[-1], int)]
    path = rng.choice(places)
    return replaced(data, path, f"q{value_at(data, path)}")


def bad_number(data, rng):
    numbers = [
        path
        for path in paths(data)
        if isinstance(value_at(data, path), int | float) and not isinstance(value_at(data, path), bool)
        if path[0] != "published"
    ]
    return replaced(data, rng.choice(numbers), rng.choice([-7, -0.5, 1e30, 10**30]))


def empty_list(data, rng):
    lists = [path for path in paths(data) if isinstance(value_at(data, path), list)]
    return replaced(data, rng.choice([path for path in lists if path[0] != "report" and path != ("published",)]), [])


def repeated(data, rng):
    kind = rng.choice(["datasets", "methods", "metrics"])
    data[kind].append(copy.deepcopy(rng.choice(data[kind])))
    return data


KINDS = (wrong_value, misspelt_key, missing_key, unknown_name, unknown_reference, bad_number, empty_list, repeated)

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
"""What scales and ranges are mutated in."""


BAD_PATHS = (
    "",
    ".",
    "seeds.",
    ".seeds",
    "seeds..x",
    "name.x",
    "datasets.7.label",
    "methods.-1",
    "n_nonzero.from.x",
    "scales",
    "scales.quick.seeds",
    "methods.nothing.params.p",
    "datasets." + "9" * 5000,
    "a." * 500,
    "\0",
)


def ranges(data):
    return [path for path in paths(data) if isinstance(value_at(data, path), dict) and "from" in value_at(data, path)]


def wrong_value_of_a_scale(data, rng):
    places = [path for path in paths(data) if path[0] == "scales" and len(path) > 1]
    return replaced(data, rng.choice(places), rng.choice(JUNK))


def misspelt_path(data, rng):
    scale = data["scales"][rng.choice(["quick", "full"])]
    path = rng.choice(list(scale))
    steps = path.split(".")
    steps[rng.randrange(len(steps))] += rng.choice("qxyz")
    renamed(scale, path, ".".join(steps))
    return data


def bad_path(data, rng):
    data["scales"][rng.choice(["quick", "full"])][rng.choice(BAD_PATHS)] = rng.choice([1, "x", [1], {"x": 1}])
    return data


def bad_range(data, rng):
    ends = value_at(data, rng.choice(ranges(data)))
    key = rng.choice(["from", "to", "step"])
    wrong = {"from": [10**9, "x", None, 0.5], "to": [-1, 10**9, "9", True, 10**299], "step": [0, -1, 0.5, [1]]}
    ends[key] = rng.choice(wrong[key])
    return data


def misspelt_end(data, rng):
    ends = value_at(data, rng.choice(ranges(data)))
    key = rng.choice(list(ends))
    renamed(ends, key, f"{key}{rng.choice('qxyz')}")
    return data


SCALE_KINDS = (wrong_value_of_a_scale, misspelt_path, bad_path, bad_range, misspelt_end)
HOSTILE_SCALES = (
    "3",
    "null",
    "[]",
    "[quick]",
    "{quick: null}",
    "{quick: [seeds]}",
    "{default: {}}",
    "{../../x: {}}",
    "{'': {}}",
    "{QUICK: {}}",
    "{quick: {scales: {quick: {}}}}",
    "{quick: &a {seeds: *a}}",
    "{quick: !!set {a}}",
    "{quick: {seeds: !!python/name:os.system }}",
    "{quick: {<<: {seeds: 1}}}",
    "{quick: {seeds: 1, seeds: 2}}",
    "{? [quick] : {}}",
)


TAGS = (
    f'!!python/object/apply:os.system ["touch {PWN}"]',
    f'!!python/object/apply:subprocess.check_call [["touch", "{PWN}"]]',
    f"!!python/object/apply:builtins.open [{PWN}, w]",
    f"!!python/object/new:os.system [touch {PWN}]",
    f"!!python/object/new:type {{args: [z, !!python/tuple [], {{}}], state: {PWN}}}",
    f"!!python/object/apply:exec [\"open('{PWN}', 'w')\"]",
    "!!python/object:os.PathLike {}",
    "!!python/name:os.system",
    "!!python/module:os",
    "!!python/tuple [1, 2]",
    "!!python/bytes aGk=",
    "!!binary aGk=",
    "!!set {a, b}",
    "!!omap [a: 1]",
    "!!pairs [a: 1]",
    "!!timestamp 2020-01-01",
    "!!map pitprops",
    "!!seq {a: 1}",
    "!!int many",
    "!!float x",
    "!!bool perhaps",
    "!unheard_of 3",
    "!<tag:example.org,2020:thing> 3",
)
LAUGHS = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 12)
)
HOSTILE = {
    "empty": b"",
    "blank": b" \n\n",
    "comment": b"# nothing\n",
    "scalar": b"3\n",
    "list": b"- a\n- b\n",
    "null": b"null\n",
    "two documents": b"name: a\n---\nname: b\n",
    "binary": bytes(random.Random(0).randbytes(4000)),
    "archive": base64.b64decode("UEsDBAoAAAAAAA=="),
    "null bytes": b"name: a\0b\n",
    "only null bytes": b"\0" * 1000,
    "latin-1": b"title: caf\xe9\n",
    "utf-16": "name: a\n".encode("utf-16"),
    "escape codes": b"name: \x1b[31mred\n",
    "tab": b"name: a\nlimits:\n\ttime: 3\n",
    "unclosed quote": b'name: "a\n',
    "unclosed bracket": b"methods: [pca\nname: a\n",
    "colon in text": b"title: a: b: c\n",
    "100,000 brackets": b"[" * 100_000,
    "60,000 brackets": b"[" * 60_000,
    "30,000 brackets closed": b"[" * 30_000 + b"]" * 30_000,
    "15,000 braces": b"{a: " * 15_000,
    "30,000 dashes": b"- " * 30_000,
    "60 brackets": b"name: " + b"[" * 60 + b"]" * 60 + b"\n",
    "questions": b"? " * 30_000,
    "billion laughs": LAUGHS.encode(),
    "cyclic list": b"name: &a [*a]\n",
    "cyclic mapping": b"&a\nname: *a\n",
    "cyclic params": b"methods: [{name: pca, params: &p {tol: *p}}]\n",
    "no such anchor": b"name: *b\n",
    "merge": b"x: &x {name: a}\n<<: *x\n",
    "merge cycle": b"&a\n<<: *a\n",
    "list as key": b"? [a]\n: 1\n",
    "10^5 digits": b"n_components: " + b"9" * 100_000 + b"\n",
    "6 10^4 digits": b"n_components: " + b"9" * 60_000 + b"\n",
    "6 10^4 hexadecimal digits": b"n_components: 0x" + b"f" * 60_000 + b"\n",
    "sexagesimal": b"n_components: " + b"1:" * 20_000 + b"1\n",
    "long name": b"name: " + b"a" * 60_000 + b"\n",
    "long key": b"? " + b"a" * 60_000 + b"\n: 1\n",
    "many keys": b"".join(b"key%d: 1\n" % i for i in range(2400)),
    "many methods": b"methods: [" + b", ".join(b"tpow%d" % i for i in range(4900)) + b"]\n",
    "many columns": b"report: {columns: [" + b", ".join(b"cpev%d" % i for i in range(4900)) + b"]}\n",
}  # fmt: skip


def mutants():
    """Return the names and contents of all mutants, always the same."""
    yield from HOSTILE.items()
    for i, tag in enumerate(TAGS):
        suite = list(SUITES)[i % len(SUITES)]
        yield f"{suite} {tag.split()[0]}", f"{SUITES[suite]}\nrepeats: {tag}\n".encode()
    for i in itertools.count():
        suite, kind = list(SUITES)[i % len(SUITES)], KINDS[i % len(KINDS)]
        data = kind(yaml.safe_load(SUITES[suite]), random.Random(i))
        yield f"{suite} {kind.__name__} {i}", yaml.safe_dump(data, sort_keys=False).encode()


def scaled_mutants():
    """Return the names and contents of all mutants of scales and ranges, always the same."""
    for scales in HOSTILE_SCALES:
        yield f"scales: {scales}", f"{SCALED.partition('scales:')[0]}scales: {scales}\n".encode()
    for i in itertools.count():
        kind = SCALE_KINDS[i % len(SCALE_KINDS)]
        data = kind(yaml.safe_load(SCALED), random.Random(i))
        yield f"{kind.__name__} {i}", yaml.safe_dump(data, sort_keys=False).encode()


def distinct(stream, count):
    """Return so many mutants by name, no two the same."""
    found = {}
    while len(found) < count:
        name, content = next(stream)
        found.setdefault(content, name)
    return {name: content for content, name in found.items()}


MUTANTS = distinct(mutants(), COUNT) | distinct(scaled_mutants(), SCALED_COUNT)


def one_of_each_kind():
    """Return the names of the first mutant of each kind, and of the texts that broke a loader before."""
    kinds = [kind.__name__ for kind in (*KINDS, *SCALE_KINDS)]
    return {
        *("empty", "two documents", "binary", "latin-1", "30,000 brackets closed", "billion laughs", "cyclic mapping"),
        f"mnist_noise {TAGS[0].split()[0]}",
        f"scales: {HOSTILE_SCALES[3]}",
        *(next(name for name in MUTANTS if kind in name.split()) for kind in kinds),
    }


FEW = one_of_each_kind()


def check_refused(code, out, err, place):
    assert code == 2, err
    assert out == ""
    lines = err.splitlines()
    assert lines
    if re.fullmatch(r"error: and \d+ more; they may go when these are mended", lines[-1]):
        assert len(lines) == 51
        lines.pop()
    assert all(line.startswith("error: mutant.yaml") for line in lines)
    assert "Traceback" not in err
    assert all(len(line) < 700 for line in lines), "a message fits a screen"
    assert len(set(lines)) == len(lines)
    assert [file.name for file in place.iterdir()] == ["mutant.yaml"]


def test_there_are_as_many_as_promised():
    assert len(MUTANTS) == COUNT + SCALED_COUNT
    assert {*HOSTILE, "smoke bad_number 53", "misspelt_end 64"} <= set(MUTANTS)
    assert len(FEW & set(MUTANTS)) == 9 + len(KINDS) + len(SCALE_KINDS)


def test_what_scales_are_mutated_in_is_sound(place, command):
    (place / "scaled.yaml").write_text(SCALED)
    said = "scaled.yaml: well formed, 81 cells, quick 6, full 3400\n"
    assert command("plan", "scaled.yaml", "--check") == (0, said, "")


@pytest.mark.parametrize("name", [pytest.param(n, marks=[] if n in FEW else pytest.mark.nightly) for n in MUTANTS])
def test_a_mutant_is_refused_in_words(name, place, command):
    (place / "mutant.yaml").write_bytes(MUTANTS[name])
    check_refused(*command("plan", "mutant.yaml", "--check"), place)


def test_a_mutant_is_refused_by_a_process(place, process):
    (place / "mutant.yaml").write_bytes(HOSTILE["billion laughs"])
    ended = process("run", "mutant.yaml")
    check_refused(ended.returncode, ended.stdout, ended.stderr, place)


@pytest.mark.nightly
@pytest.mark.parametrize("verb", ["plan", "run"])
@pytest.mark.parametrize(
    "name", ["empty", "binary", "30,000 brackets closed", "billion laughs", f"mnist_noise {TAGS[0].split()[0]}"]
)
def test_mutants_are_refused_by_processes(name, verb, place, process):
    (place / "mutant.yaml").write_bytes(MUTANTS[name])
    ended = process(verb, "mutant.yaml")
    check_refused(ended.returncode, ended.stdout, ended.stderr, place)


def test_a_folder_is_no_suite(place, command):
    (place / "folder.yaml").mkdir()
    assert command("plan", "folder.yaml") == (2, "", "error: folder.yaml: a folder, where a suite file is wanted\n")


def test_an_unreadable_suite(place, command):
    (place / "loop.yaml").symlink_to("loop.yaml")
    code, _, err = command("plan", "loop.yaml")
    assert code == 2
    assert err.startswith("error: loop.yaml: ")


@pytest.mark.parametrize("names", [FEW, pytest.param(MUTANTS, marks=pytest.mark.nightly)], ids=["few", "all"])
def test_validating_mutants_and_suites_loads_nothing_heavy(names, place, process):
    files = []
    wrong = [MUTANTS[name] for name in names]
    for number, content in enumerate([*wrong, *(text.encode() for text in SUITES.values())]):
        file = place / f"{number}.yaml"
        file.write_bytes(content)
        files.append(file.name)
    code = f"""
import sys
from spcabench.cli import main
sys.argv = ["spcabench", "plan", "--check", *{files!r}]
try:
    main()
except SystemExit as ended:
    heavy = [name for name in ("altair", "dask") if name in sys.modules]
    sys.exit(f"loaded {{heavy}}" if heavy else ended.code)
"""
    ended = process("-c", code, python=True)
    assert ended.returncode == 2, ended.stderr[-300:]
    assert ended.stdout.count("well formed") == len(SUITES)
    assert sorted(file.name for file in place.iterdir()) == sorted(files)
