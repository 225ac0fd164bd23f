"""Every truncation found, against what its file says of it; and one that is added by writing a file."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest
import reference_power
import reference_rotation
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from reference_robust import sparse
from spcabench_methods import RSVDGP, RSVDGPB, SPCArt
from spcabench_methods.core.arrays import largest
from spcabench_methods.core.kernels import kth_largest, top
from spcabench_methods.power.ascent import truncation
from spcabench_methods.truncations import thresholds, truncations
from spcabench_methods.truncations.energy import energy
from spcabench_methods.truncations.hard import hard
from spcabench_methods.truncations.lp import sparse_approximation
from spcabench_methods.truncations.scad import scad
from spcabench_methods.truncations.soft import soft
from spcabench_methods.truncations.top_k import magnitude, top_k

from spcabench.run.code_hash import module_hashes

every = pytest.mark.parametrize("rule", truncations().values(), ids=lambda rule: rule.name)
every_threshold = pytest.mark.parametrize("rule", thresholds().values(), ids=lambda rule: rule.name)

LEVELS = {"threshold": (0.0, 0.05, 0.2, 1.0), "n_nonzero": (1, 7, 40, 50), "energy": (0.0, 0.1, 0.9)}

FIRM = """
import numpy as np
from spcabench_methods.truncations import Threshold


def shrunk(size, threshold):
    return np.minimum(size, 2.0 * (size - threshold))


def price(size, threshold):
    size = np.minimum(size, 2.0 * threshold)
    return threshold * size - size**2 / 4.0


firm = Threshold(
    name="firm", symbol="firm", words="firm thresholds", source="Gao and Bruce 1997", shrunk=shrunk, price=price
)
"""
"""What one writes to add a truncation: no threshold from twice the threshold on, and a steeper rule below."""


def vectors():
    rng = np.random.default_rng(0)
    return [v / np.linalg.norm(v) for v in (rng.standard_normal(40), rng.integers(-3, 4, 40) + 0.0, np.eye(40)[3])]


whole_numbers = arrays(np.float64, st.integers(1, 12), elements=st.integers(-4, 4).map(float))
"""Vectors with many entries of equal size, and sizes that equal a threshold."""


@settings(deadline=None)
@given(whole_numbers, st.integers(1, 14))
def test_the_first_of_equal_entries_are_kept(v, k):
    for rule in (top_k, top):
        assert_array_equal(rule(v, k), reference_power.largest(v, k))
    assert_array_equal(largest(np.abs(v), k), np.sort(np.argsort(-np.abs(v), kind="stable")[:k]))
    assert magnitude(v, k) == ([*sorted(np.abs(v))[::-1], 0.0, 0.0][k - 1] if k <= len(v) else 0.0)


@settings(deadline=None)
@given(whole_numbers, st.integers(0, 5), st.floats(0, 0.99))
def test_thresholds_and_energies_are_their_definitions(v, threshold, share):
    assert_array_equal(soft(v, threshold), reference_power.soft(v, threshold))
    assert_array_equal(hard(v, threshold), reference_power.hard(v, threshold))
    assert_allclose(scad(v, threshold), reference_power.scad(v, threshold), atol=1e-14)
    assert_array_equal(energy(v, share), reference_rotation.energy(v, share))


@every
def test_the_smallest_go_and_the_signs_stay_also_of_what_is_relative(rule):
    for v in vectors():
        for level in LEVELS[rule.level.name]:
            w = rule(v, level)
            assert np.all((w == 0.0) | (np.sign(w) == np.sign(v)))
            assert np.abs(v[w != 0.0]).min(initial=np.inf) >= np.abs(v[w == 0.0]).max(initial=0.0)
            assert np.all(np.abs(w) <= np.abs(v) * (1.0 + 1e-12))
            assert_allclose(rule.relative(300.0 * v, level), 300.0 * w, rtol=1e-12)
        assert_allclose(rule(v, {"n_nonzero": 40}.get(rule.level.name, 0.0)), v)


@every_threshold
@pytest.mark.parametrize("threshold", [0.3, 1.7])
def test_a_threshold_minimises_the_distance_and_its_cost(rule, threshold):
    grid = np.linspace(0.001, 12.0, 6000)
    costs = np.array([rule.cost(u, threshold) for u in grid[:, None]])
    for v in threshold * np.array([0.5, 0.97, 1.03, 1.5, 2.5, 3.3, 5.0]):
        reached = rule.objective(np.array([v]), rule(np.array([v]), threshold), threshold)
        assert reached <= rule.weight * v**2 + 1e-12
        assert reached <= (rule.weight * (v - grid) ** 2 + costs).min() + 1e-12


@every_threshold
def test_the_gain_is_what_truncation_wins(rule):
    for v in vectors():
        for level in LEVELS["threshold"][1:3]:
            w = rule(v, level)
            gain = v @ v - np.sum((v - w) ** 2) - rule.cost(w, level) / rule.weight
            assert_allclose(rule.gain(v, w, level), gain, atol=1e-12)
            assert rule.gain(v, w, level) >= 0.0
            compiled, gained = truncation(rule)(v, level)
            assert_allclose(compiled, w, rtol=1e-14)
            assert_allclose(gained, gain, atol=1e-12)


def test_a_file_more_is_a_truncation_more(tmp_path):
    (tmp_path / "firm.py").write_text(FIRM)
    code = f"""
        import warnings
        import numpy as np
        import spcabench_methods.truncations
        spcabench_methods.truncations.__path__.append({str(tmp_path)!r})
        from spcabench_methods import ITSPCA, RSVD, RSVDGP, RSVDGPB, GPower, GPowerBlock, SPCArt
        from spcabench_methods.specs import power
        from spcabench_methods.truncations import truncations
        warnings.simplefilter("ignore")
        firm = truncations()["firm"]
        rng = np.random.default_rng(0)
        X = rng.standard_normal((60, 12)) + 3.0 * np.outer(rng.standard_normal(60), np.arange(12) < 4)
        V = np.linalg.svd(X - X.mean(axis=0))[2][:1].T
        for estimator in (
            SPCArt(1, truncation="firm", max_iter=1),
            *(kind(2, truncation="firm") for kind in (RSVDGP, RSVDGPB, ITSPCA)),
            *(kind(2, penalty="firm") for kind in (GPower, GPowerBlock)),
            RSVDGP(2, 4, truncation="firm"),
            RSVD(2, 4, penalty="firm"),
        ):
            W = estimator.fit(X).components_
            assert np.all(np.isfinite(W)) and 0 < np.count_nonzero(W[0]) < 12, estimator
            if isinstance(estimator, SPCArt):
                w = firm(V[:, 0], 12**-0.5)
                assert np.allclose(np.abs(W[0]), np.abs(w) / np.linalg.norm(w))
        print(*[spec.name for spec in power.spcabench_methods() if "firm" in spec.name])
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "gpower_firm rsvd_firm rsvdgp_firm rsvdgpb_firm gpower_firmm spcart_firm\n"


@every
def test_estimators_have_the_level_and_their_records_depend_on_the_rules_that_they_find(rule):
    for estimator in (SPCArt, RSVDGP, RSVDGPB):
        assert rule.level.name in estimator().get_params()
    for method in ("rotation.spcart:SPCArt", "power.rsvd:RSVD", "block.rsvd_gpb:RSVDGPB"):
        assert f"spcabench_methods.truncations.{rule.name}" in module_hashes(f"spcabench_methods.{method}")


SIZES = st.lists(st.one_of(st.floats(0.0), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=40)


@given(SIZES, st.data())
def test_the_kth_largest_is_that_of_sorted_numbers_however_far_apart_they_are(sizes, data):
    k = data.draw(st.integers(1, len(sizes)))
    assert kth_largest(np.array(sizes), k) == sorted(sizes)[-k]


POWERS = (0.0, 0.001, 0.3, 0.5, 0.7, 0.999, 1.0)


def test_ties_up_to_rounding_keep_the_first():
    v = np.array([1.0, -2.0, 2.0 + 1e-15, 2.0, 0.5])
    for p, kept in ((0.0, 2.0), (0.5, 4 / 3), (1.0, 2.0)):
        assert_allclose(sparse_approximation(v, 2, p), [0, -kept, kept, 0, 0])
    assert_array_equal(sparse_approximation(np.array([3.0, 2.0, 2.0]), 2, 1.0), [1, 0, 0])


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.floats(-100, 100).map(lambda x: round(x, 2)), min_size=1, max_size=12),
    st.integers(1, 13),
    st.sampled_from(POWERS),
)
def test_agrees_with_the_plain_loop(values, k, p):
    v = np.array(values)
    found, wanted = sparse_approximation(v, k, p), sparse(v, k, p)
    if p == 1.0 and len(set(np.abs(found[found != 0]))) == 1:  # equal magnitudes: how large is not specified
        found, wanted = np.sign(found), np.sign(wanted)
    assert_allclose(found, wanted, rtol=1e-7, atol=1e-9)
