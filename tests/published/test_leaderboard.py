"""The suite that compares everything leaves nothing out."""

from pathlib import Path

import numpy as np
import orthogonal
import pandas as pd
import pytest
from published_checks.estimators import registry
from shipped import shipped
from spcabench_methods import JointSPCA

from spcabench.analysis.times import LEAST_REPEATS
from spcabench.run.code_hash import code_hash
from spcabench.suite.models import TRACKS


def test_every_built_in_method_is_on_the_leaderboard():
    suite = shipped("leaderboard").suite
    built_in = {name for name, origin in registry().methods.origins.items() if origin.startswith("spcabench_methods.")}
    assert {entry.name for entry in suite.methods} == built_in


def test_each_question_is_a_track_and_what_must_be_fetched_is_optional():
    asked = {scale: shipped("leaderboard", scale).suite for scale in ("default", "cost", "full")}
    names = [track.name for scale in ("default", "cost") for track in asked[scale].tracks]
    assert names == list(TRACKS)
    for suite in asked.values():
        for entry in suite.datasets:
            spec = registry().datasets[entry.name]
            assert entry.optional == bool(spec.place or spec.fetches), entry.name
    assert asked["cost"].clock.at_least >= LEAST_REPEATS


def test_real_sources_rank_and_anyone_can_have_them():
    suite = shipped("leaderboard").suite
    entries = {entry.label or entry.name: entry for entry in suite.datasets}
    assert all(entry.source for entry in suite.datasets)
    assert {label for track in suite.tracks for label in track.datasets} == set(entries)
    for entry in suite.datasets:
        assert registry().datasets[entry.name].fetches or not entry.optional, entry.name
    sources = {}
    for track in suite.tracks:
        found = {entries[label].source for label in track.datasets}
        sources[track.name] = {one for one in found if one in registry().datasets}
    assert all(len(sources[name]) >= 25 for name in ("one", "span", "adjusted", "prediction"))
    assert len(sources["robustness"]) >= 20
    assert len(sources["one"] | sources["wide"]) >= 35
    assert {"decoys", "near-equal blocks"} <= set(entries)


@pytest.mark.parametrize("label", ["pitprops", "wine", "breast_cancer", "digits"])
def test_no_orthogonal_loadings_exceed_the_bound_of_the_span(label):
    ((_, S, r, k),) = orthogonal.targets([label])
    (track,) = (one for one in shipped("leaderboard").suite.tracks if one.name == "span")
    W = JointSPCA(r, n_nonzero=k, criterion="orthogonal", covariance="precomputed").fit(S).components_
    assert np.abs(W @ W.T - np.eye(r)).max() < 1e-6
    largest = np.linalg.eigvalsh(S)[-r:].sum()
    assert np.trace(W @ S @ W.T) <= track.bounds[label] * np.trace(S) <= largest + 1e-5 * np.trace(S)
    assert track.bounds.keys() <= set(track.datasets)


def test_a_row_as_published_stands_beside_that_of_the_default():
    methods = shipped("leaderboard").suite.methods
    published = [entry for entry in methods if entry.published]
    assert len(published) >= 10
    for entry in published:
        assert entry.params
        assert any(other.name == entry.name and not (other.params or other.published) for other in methods)


@pytest.mark.nightly  # in the fast set it would notice every mutant
def test_the_kept_scores_are_those_of_the_code_as_it_is():
    names = {entry.label or entry.name: entry.name for entry in shipped("leaderboard").suite.methods}
    kept = pd.read_csv(Path(__file__).parents[2] / "reports" / "leaderboard.csv", comment="#")
    of_code = {label: code_hash(registry().methods[names[label]].estimator) for label in kept["method"].unique()}
    older = sorted(kept.loc[kept["code"] != kept["method"].map(of_code), "method"].unique())
    assert not older, "run the leaderboard again (what has not changed is kept), and make the site, which has the file"
