"""No forged submission is merged with a better rank, metric or time than the truth; honest ones of all kinds are."""

import os
import random
import shutil
from collections import Counter

import pytest
from forgeries import exchanged_loadings, forged
from submitted import NAME, SECONDS, SUITE, Place, made

from spcabench.store import database
from spcabench.submission import read_manifest
from spcabench.wording import InputError

DATASETS = [{"name": "spiked", "label": f"d{d}", "params": {"n": 30, "d": d, "support_size": 4}} for d in (12, 14, 16)]
STATUSES = ("ok", "error", "ok", "skipped")


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    changes = {"datasets": [*DATASETS, "pitprops"], "repeats": 1, "tracks": []}
    return made(tmp_path_factory.mktemp("honest"), {**SUITE, **changes})


def copied(honest, path):
    shutil.copytree(honest.path, path)
    return Place(path)


def better(row, truth):
    """Return in what a row of a merged method is better than the truth."""
    counts = not row["missed_components"]
    found = ["cpev"] if counts and row["cpev"] > truth["cpev"] + 1e-9 else []
    found += ["target"] if counts and truth["missed_components"] else []
    found += [name for name in ("fit_time", "total_time") if row[name] < SECONDS]
    known = {truth["status"], "timeout", "error"}  # of its own accord it may say that it failed
    return found if row["status"] == truth["status"] else [] if row["status"] in known else ["status"]


def outcome(honest, path, seed):
    """Merge a forged submission; return what came of it, having seen that nothing of it is better than the truth."""
    place = copied(honest, path)
    before = {record.key: record for record in place.run.records()}
    said = forged(place.submission.path, seed)
    try:
        place.merge()
    except InputError:
        assert {record.key: record for record in place.run.records()} == before
        return "refused"
    truth = honest.rows(honest.apart)
    rows = place.rows(place.run, read_manifest(place.submission.path).label)  # it may call itself what it likes
    assert list(rows.index) == list(truth.index), (seed, said)
    for at in truth.index:
        assert not better(rows.loc[at], truth.loc[at]), (seed, said, at, better(rows.loc[at], truth.loc[at]))
    return "merged as it is"


@pytest.mark.parametrize("seed", range(8))
def test_a_few_forgeries(honest, tmp_path, seed):
    outcome(honest, tmp_path / "forged", seed)


@pytest.mark.nightly
def test_many_forgeries(honest, tmp_path):
    found = Counter(outcome(honest, tmp_path / str(seed), seed) for seed in range(100, 300))
    print(dict(found))
    assert min(found.values()) > 5, "no record is a reason to refuse, as none is taken; a manifest may be"


def test_loadings_that_a_fit_does_not_find_are_counted_and_nothing_of_them_is_taken(honest, tmp_path):
    place = copied(honest, tmp_path / "copy")
    exchanged_loadings(place.submission.path, 3, random.Random(0))
    assert place.merge() == {NAME: "all 8 results fitted again here, 3 of them unlike what was submitted"}
    rows = place.rows(place.run)
    assert list(rows["cpev"]) == pytest.approx(list(honest.rows(honest.apart)["cpev"]), nan_ok=True)
    assert tuple(rows["status"]) == tuple(status for status in STATUSES for _ in range(2))
    assert list(rows["missed_components"].dropna()) == [0.0, 0.0, 2.0, 2.0]


def test_the_host_does_not_open_what_a_stranger_sent(honest, tmp_path, monkeypatch):
    place, host, opened = copied(honest, tmp_path / "copy"), os.getpid(), database.opened

    def elsewhere(file, write):
        assert (os.getpid() == host) == (file != place.submission.file)
        return opened(file, write)

    monkeypatch.setattr(database, "opened", elsewhere)
    place.merge()
