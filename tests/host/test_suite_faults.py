"""What is said about a suite at fault: keys, types, names, parameters, sizes, files, settings."""

import re

import pytest

from spcabench.report.find_run import existing_run
from spcabench.store.folder import RunFolder
from spcabench.suite.values import MAX_VALUES

JARGON = re.compile(
    r"function-|constrained|Input should|input should|dictionary|instance of|pydantic|\bmodel\b|Entry\b"
)
KEYS = """\
nam: x
datasets:
  - name: spiked
    lable: s
    stand_in: {name: digits, parms: {}}
methods:
  - {nme: pca}
  - {name: tpowr, spasity: own}
n_components: 2
n_nonzeros: [3]
limits: {tme: 3}
metrics: [{name: cpev, parms: {}}]
report: {colums: [], figures: [paretto]}
published:
  - sorce: x
    rows: [{method: pca, metrcs: {}}]
"""


def test_misspelt_keys_of_every_level_are_reported_at_once(faults):
    found = faults(KEYS)
    for line, key, place, guess in [
        (1, "nam", "the suite", "name"),
        (4, "lable", "'datasets[0]'", "label"),
        (5, "parms", "'datasets[0].stand_in'", "params"),
        (7, "nme", "'methods[0]'", "name"),
        (8, "spasity", "'methods[1]'", "sparsity"),
        (10, "n_nonzeros", "the suite", "n_nonzero"),
        (11, "tme", "'limits'", "time"),
        (12, "parms", "'metrics[0]'", "params"),
        (13, "colums", "'report'", "columns"),
        (15, "sorce", "'published[0]'", "source"),
        (16, "metrcs", "'published[0].rows[0]'", "metrics"),
    ]:
        (fault,) = [f for f in found if f.startswith(f"{line}: unknown key '{key}' in {place}; valid are ")]
        assert fault.endswith(f"(did you mean '{guess}'?)")
    assert "1: 'n_nonzero' is missing in the suite" in found
    assert "7: 'name' is missing in 'methods[0]'" in found
    assert any(f.startswith("13: report.figures[0] is 'paretto'") and "(did you mean 'pareto'?)" in f for f in found)
    lines = [int(f.partition(":")[0]) for f in found]
    assert lines == sorted(lines)
    assert len(set(found)) == len(found)


TYPES = """\
name: Bad Name
title: 3
datasets: pitprops
methods:
  - 3
  - {name: pca, params: [1]}
  - {name: [pca]}
  - null
  - {name: tpower, sparsity: onw, label: ""}
n_components: "2"
n_nonzero: [3, x, [4, y], [], 2.5, true, -1]
seeds: -1
repeats: 0
threads: yes
limits: {time: abc, memory: -1}
metrics: {cpev: 1}
report: []
published: x
"""


def test_wrong_types_are_reported_once_each_in_plain_words(faults):
    found = faults(TYPES)
    assert [re.sub("(mapping of [a-z]*, [a-z]*, ).*", r"\1", one) for one in found] == [
        "1: name is 'Bad Name'; valid is a name of lower case letters, digits and underscores",
        "2: title is 3; valid is text",
        "3: datasets is 'pitprops'; valid is a list",
        "5: methods[0] is 3; valid is a mapping of name, label, ",
        "6: methods[1].params is [1]; valid is a mapping",
        "7: methods[2].name is ['pca']; valid is text",
        "8: methods[3] is null; valid is a mapping of name, label, ",
        "9: methods[4].label is ''; valid is text that is not empty",
        "9: methods[4].sparsity is 'onw'; valid is one of target, own (did you mean 'own'?)",
        "10: n_components is '2'; valid is a whole number",
        "11: n_nonzero[1] is 'x'; valid is a whole number",
        "11: n_nonzero[2][1] is 'y'; valid is a whole number",
        "11: n_nonzero[3] is []; valid is a list with something in it",
        "11: n_nonzero[4] is 2.5; valid is a whole number",
        "11: n_nonzero[5] is true; valid is a whole number",
        "11: n_nonzero[6] is -1; valid is a number from 1",
        "12: seeds is -1; valid is a list of seeds, or how many, from 1 to 5000000",
        "13: repeats is 0; valid is a number from 1",
        "14: threads is true; valid is a whole number",
        "15: limits.time is 'abc'; valid is a number",
        "15: limits.memory is -1; valid is a number above 0",
        "16: metrics is {'cpev': 1}; valid is a list",
        "17: report is []; valid is a mapping of columns, figures, ",
        "18: published is 'x'; valid is a list",
    ]
    assert not JARGON.search("\n".join(found))


GRID = {"tol": list(range(1, 60)), "max_iter": {"from": 1, "to": 200}}
LARGE = {"tol": list(range(1, 31)), "max_iter": list(range(1, 31))}
SINGLE = [
    ({"repeats": "three"}, "is 'three'; valid is a whole number, or a mapping of at_least, at_most, spread, budget"),
    ({"repeats": {"at_least": 5, "at_most": 3}}, "valid is an at_most that is not below at_least; 3 is below 5"),
    ({"repeats": {"at_last": 5}}, "(did you mean 'at_least'?)"),
    ({"repeats": {"spread": 0}}, "repeats.spread is 0; valid is a number above 0"),
    ({"seeds": "three"}, "is 'three'; valid is a list of seeds, or how many, or a range {from, to, step}"),
    ({"convergence": "three"}, "is 'three'; valid is true or false"),
    ({"n_nonzero": "three"}, "is 'three'; valid is a whole number, a list, or a range {from, to, step}"),
    ({"seeds": {"from": 0, "to": 5_000_000}}, "a range of at most 5000000 values; it has 5000001"),
    ({"seeds": 5_000_001}, "a list of seeds, or how many, from 1 to 5000000"),
    ({"methods": ["zzz"]}, "; load your own with --plugin FILE"),
    ({"methods": ["rsvd-l0"]}, "(did you mean 'rsvd_l0'?)"),
    ({"methods": ["TPower"]}, "(did you mean 'tpower'?)"),
    ({"datasets": [{"name": "pitprops", "stand_in": "Hastie-Exact"}]}, "(did you mean 'hastie_exact'?)"),
    ({"metrics": ["cpev", "cpev_test"]}, "'cpev_test' is a column of the metric 'cpev', not a metric; ask for 'cpev', "
     "and choose columns in report.columns"),
    ({"datasets": [{"name": "file", "params": {"path": "gene.csv"}}]}, "no file gene.csv (did you mean 'genes.csv'?)"),
    ({"methods": [{"name": "tpower", "params": GRID}]}, "the grid has 11800 combinations; valid is up to 10000"),
    ({"methods": [{"name": "tpower", "params": LARGE}], "seeds": 1000, "n_nonzero": [*range(1, 11)]},
     f"9000000 cells; valid is up to {MAX_VALUES}"),
    ({"report": {"emphasis": ["tpower from ones"]}, "starts": ["own", "ones"]},
     "no method of this suite is labelled 'tpower from ones'; valid are pca, tpower"),
    ({"starts": ["own", "onse"]}, "is one of own, published, ones, pca, max_variance, random (did you mean 'ones'?)"),
    ({"starts": ["ones", "pca"]}, "a list with either own or published in it, which main tables and figures show"),
    ({"starts": ["own", "published"]}, "a list with either own or published in it, which main tables and figures show"),
    ({"n_nonzero": [3, 4, 3]}, "n_nonzero is [3, 4, 3]; valid is a list without repeats"),
    ({"seeds": [1, 1]}, "seeds is [1, 1]; valid is a list without repeats"),
    ({"starts": ["own", "own"]}, "valid is a list without repeats"),
    ({"starts": "pca"}, "starts is 'pca'; valid is a list"),
    ({"tracks": [{"name": "span", "metric": "cpev", "datasets": ["pitprops"]}] * 2}, "valid is a list without repeats"),
    ({"datasets": [{"name": "spiked", "params": {"n": {"from": -500, "to": 500}}}]},
     ": n is -500; valid is a whole number from 2"),
    ({"tracks": [{"name": "recovery", "metric": "cpev", "datasets": ["pitprop"]}]}, "(did you mean 'pitprops'?)"),
    ({"tracks": [{"name": "span", "metric": "cpev", "datasets": ["pitprops"], "bounds": {"pitprop": 0.5}}]},
     "(did you mean 'pitprops'?)"),
    ({"tracks": [{"name": "recovery", "metric": "f1", "datasets": ["pitprops"]}]}, "no metric 'f1'; valid are cpev"),
    ({"methods": [{"name": "tpower", "label": "x" * 75, "params": {"tol": [1e-5, 1e-6]}}]},
     "has 86 characters; valid is up to 80: give it a 'label'"),
    ({"tracks": [{"name": "recovry", "metric": "cpev", "datasets": ["pitprops"]}]}, "(did you mean 'recovery'?)"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "end"), SINGLE, ids=lambda value: str(value)[:50])
def test_one_mistake_is_one_fault(changes, end, faults, place):
    (place / "genes.csv").write_text("1,2\n3,4\n")
    (fault,) = faults(**changes)
    assert fault.endswith(end)


def test_a_level_has_a_number_for_each_component(faults, sound):
    several = {"name": "spiked", "n_nonzero": [[1, 1]], "n_components": [2, 5]}
    one = {"name": "pitprops", "n_nonzero": [[2]]}
    found = faults(n_nonzero=[3, [3, 4, 5], [3, 4]], datasets=[one, "hastie_exact", several])
    assert [fault.partition(": ")[2] for fault in found] == [
        "[2] has 1 numbers; valid are 2, one per component",
        "[1, 1] has 2 numbers; valid are 5, one per component",
        "[3, 4, 5] has 3 numbers; valid are 2, one per component",
    ]


def test_a_file_that_is_not_there_is_a_fault(faults, load, place):
    (place / "genes.csv").write_text("1,2\n3,4\n")
    grid = {"name": "file", "params": {"path": ["genes.csv", "no/x.npy", ".", "~nobody/x", "x" * 300]}}
    found = [fault.partition(": ")[2] for fault in faults(datasets=[grid])]
    assert found[:2] == ["path: no file no/x.npy: there is no folder no", "path: . is a folder, not a file"]
    assert len(found) == 4
    lost = {"name": "file", "params": {"path": "gene.csv"}}
    assert load(datasets=[{**lost, "stand_in": "pitprops"}]).plan.cells, "a stand-in takes its place"
    assert load(datasets=[{"name": "file", "params": {"path": "genes.csv"}}]).plan.cells


def test_a_run_is_read_where_its_data_is_not(suite_file, registry):
    file = suite_file(datasets=[{"name": "file", "params": {"path": "elsewhere.csv"}}])
    RunFolder(file.parent).keep_suite(file.read_text())
    loaded, _ = existing_run(str(file.parent), registry)
    assert loaded.plan.cells


NAMES = """\
name: odd
datasets: [pitpops, spiked]
methods: [tpowr, pca]
n_components: 2
n_nonzero: [3]
metrics: [cpve, nor, mean_nnz]
report: {columns: [nro, mean_nnz_clean, cpve, err], emphasis: [pca, tpowr, pac]}
published:
  - source: x
    dataset: spikd
    rows: [{method: pcaa, metrics: {noor: 1}}, {method: tpowr, metrics: {cpve: 2}}]
"""


def test_unknown_names_are_reported_at_once(faults):
    found = faults(NAMES)
    for start, end in [
        ("2: unknown data set 'pitpops'; valid are ", "(did you mean 'pitprops'?)"),
        ("3: unknown method 'tpowr'; valid are ", "(did you mean 'tpower'?)"),
        ("6: unknown metric 'cpve'; valid are ", "(did you mean 'cpev'?)"),
        ("7: the suite has no metric 'nro'; valid are mean_nnz, nor", "(did you mean 'nor'?)"),
        ("7: the suite has no metric 'err'; valid are mean_nnz, nor", ""),
        ("7: no method of this suite is labelled 'pac'; valid are pca", "(did you mean 'pca'?)"),
        ("10: no data set of this suite is labelled 'spikd'; valid are spiked", "(did you mean 'spiked'?)"),
        ("11: no method of this suite is labelled 'pcaa'; valid are pca", "(did you mean 'pca'?)"),
        ("11: the suite has no metric 'noor'; valid are mean_nnz, nor", "(did you mean 'nor'?)"),
    ]:
        assert [f for f in found if f.startswith(start) and f.endswith(end)], start
    assert len(found) == 9, "a reference to what is misspelt where it is defined is not a second fault"


PARAMS = """\
name: odd
datasets:
  - name: digits
    params:
      digt: 6
      contamination: {kind: outlier, fraction: 3, blok: [1, 2]}
  - name: spiked
    params:
      n: []
      d: [1, -4]
    stand_in: {name: digits, params: {digit: 10}}
methods:
  - name: gpower_l0
    params:
      rho: [0.1, 2, x]
      tol: -1
  - name: tpower
    params:
      n_nonzero: 3
      random_state: 1
      init: maxvariance
      refit: 1
n_components: 2
n_nonzero: [3]
metrics: [{name: err, params: {m: [0], k: 1}}, {name: cpev, params: {k: 1}}]
"""


def test_parameters_and_grids(faults):
    found = faults(PARAMS)
    assert found == [
        "5: unknown parameter 'digt'; valid are contamination, digit, enlarge, per_class, test_per_class "
        "(did you mean 'digit'?)",
        "6: in contamination: kind is 'outlier'; valid is one of none, noise, outliers (did you mean 'outliers'?)",
        "6: in contamination: fraction is 3; valid is null, or a number in (0, 1]",
        "6: in contamination: unknown parameter 'blok'; valid are block, fraction, kind (did you mean 'block'?)",
        "9: n is []; valid is a list with something in it, as an axis of a grid",
        "10: d is -4; valid is a whole number from 1",
        "11: digit is 10; valid is a whole number from 0 to 9, or all",
        "15: rho is 2; valid is null, or a number in [0, 1), or a list, each a number in [0, 1)",
        "15: rho is 'x'; valid is null, or a number in [0, 1), or a list, each a number in [0, 1)",
        "16: tol is -1; valid is a number in [0, inf)",
        "19: n_nonzero is set by the suite, not by a method's params; say 'sparsity: own' to set it here",
        "20: random_state is set by the suite, not by a method's params",
        "21: init is 'maxvariance'; valid is one of decreasing, max_variance, ones, pca, published, random, several, "
        "top_variance, or a vector of finite numbers, or a list of them (did you mean 'max_variance'?)",
        "22: refit is 1; valid is one of false, true",
        "25: m is [0]; valid is null, or a list, each a whole number from 1",
        "25: unknown parameter 'k'; valid are m",
        "25: unknown parameter 'k'; there are none",
    ]


def test_what_stands_twice(faults):
    text = """\
name: odd
datasets: [pitprops, pitprops]
methods: [pca, {name: rspca, params: {p: [0, 0.0]}},
  {name: tpower, label: pca}]
n_components: 2
n_nonzero: [3, 4]
metrics: [cpev, nor, cpev]
"""
    assert faults(text) == [
        "2: the data set 'pitprops' occurs twice; choose distinct labels by 'label'",
        "3: the method 'rspca(p=0)' occurs twice; choose distinct labels by 'label'",
        "4: the method 'pca' occurs twice; choose distinct labels by 'label'",
        "7: the metric 'cpev' occurs twice",
    ]
