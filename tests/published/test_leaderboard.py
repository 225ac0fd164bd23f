"""The suite that compares everything leaves nothing out."""

from spcabench.plugins import load_registry
from spcabench.suite.load import load_suite
from spcabench.suite.models import TRACKS


def test_every_built_in_method_is_on_the_leaderboard():
    registry = load_registry()
    suite = load_suite("leaderboard", registry).suite
    built_in = {name for name, origin in registry.methods.origins.items() if origin.startswith("spcabench_methods.")}
    assert {entry.name for entry in suite.methods} == built_in


def test_it_has_five_tracks_on_twenty_data_sets_or_more_and_what_must_be_fetched_is_optional():
    registry = load_registry()
    for scale in ("default", "full"):
        suite = load_suite("leaderboard", registry, scale=scale).suite
        assert [track.name for track in suite.tracks] == list(TRACKS)
        assert len(suite.datasets) >= 20
        fetched = {"covariance_file", "colon", "golub", "mnist", "natural_images"}
        assert {entry.name for entry in suite.datasets if entry.optional} <= fetched
        assert {entry.name for entry in suite.datasets if not entry.optional}.isdisjoint(fetched)
        assert all(len(track.datasets) >= (2 if track.name == "scale" else 3) for track in suite.tracks)


def test_the_default_form_has_three_levels_and_eight_draws_of_what_is_random():
    suite = load_suite("leaderboard", load_registry()).suite
    tracks = {track.name: track.datasets for track in suite.tracks}
    for entry in suite.datasets:
        label = entry.label or entry.name
        if label in tracks["recovery"] + tracks["prediction"]:
            assert len(entry.n_nonzero) == 3
            assert not entry.seeds
    assert len(suite.seeds) == 8
    assert {n for entry in suite.datasets for n in entry.n_components} == {1, 5}
