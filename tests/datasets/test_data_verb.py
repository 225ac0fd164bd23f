"""The verb data: what is here, what is not, and fetching it."""

import hashlib
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from spcabench_datasets import collection

PLUGIN = """\
import numpy as np
import spcabench
FILE = spcabench.RemoteFile("{url}", "{sha256}")

def load(rng):
    return spcabench.Dataset(X=np.loadtxt(spcabench.fetched(FILE)))

@spcabench.hookimpl
def spcabench_datasets():
    return [spcabench.DatasetSpec(name="far", load="far:load", title="a far table", random=False, fetches=(FILE,),
                                  source="its authors", licence="CC0")]
"""


@pytest.fixture
def far(tmp_path, monkeypatch, served):
    """Write a plugin with a data set that is to be had at an address."""
    folder, url = served
    np.savetxt(folder / "far.txt", np.arange(12.0).reshape(6, 2))
    sha256 = hashlib.sha256((folder / "far.txt").read_bytes()).hexdigest()
    (tmp_path / "far.py").write_text(PLUGIN.format(url=f"{url}/far.txt", sha256=sha256))
    monkeypatch.delitem(sys.modules, "far", raising=False)
    monkeypatch.setattr(sys, "path", [place for place in sys.path if not Path(place, "far.py").is_file()])
    monkeypatch.setenv("SPCABENCH_PLUGINS", str(tmp_path / "far.py"))
    return folder / "far.txt"


def rows(text):
    return {line.split()[0]: line for line in text.splitlines() if line}


@pytest.mark.usefixtures("alone")
def test_a_data_set_is_fetched_once_and_listed(command, far):
    code, out, _ = command("data", "list")
    assert code == 0
    listed = rows(out)
    assert all(words in listed["far"] for words in ("a far table", "its authors", "CC0", "http://127.0.0.1"))
    assert collection.TABLES["olivetti"]["commit"] in listed["olivetti"]
    assert listed["pitprops"].endswith("always")
    assert "SPCABENCH_DATA has no mnist" in listed["mnist"]
    code, out, err = command("data", "fetch", "far", "pitprops")
    assert (code, out) == (0, "far: fetched\n")
    assert "1 of 1  far: http://127.0.0.1" in err
    far.unlink()
    assert command("data", "fetch", "far")[:2] == (0, "far: fetched\n")


@pytest.mark.usefixtures("alone")
def test_what_cannot_be_had_ends_in_1_and_what_is_unknown_in_2(command, far, tmp_path):
    far.unlink()
    suite = "name: s\ndatasets: [far, pitprops]\nmethods: [pca]\nn_components: 1\nn_nonzero: [2]\nmetrics: [cpev]\n"
    (tmp_path / "s.yaml").write_text(suite)
    code, out, err = command("data", "fetch", str(tmp_path / "s.yaml"))
    assert code == 1
    assert "far.txt cannot be fetched (HTTPError); connect to a network, or fetch it elsewhere and put it at /" in out
    assert "error: 1 of 1 data sets cannot be had" in err
    code, _, err = command("data", "fetch", "olivett")
    assert code == 2
    assert "no data set or suite 'olivett'" in err
    assert "did you mean 'olivetti'?" in err
    assert command("data", "fetch", "pitprops")[1] == "nothing to fetch: pitprops reads no file from elsewhere\n"


def test_what_the_folder_has_is_not_fetched(command):
    if not (Path(os.environ.get("SPCABENCH_DATA", "")) / "real" / "decathlon.npz").is_file():
        pytest.skip("SPCABENCH_DATA has no real")
    assert command("data", "fetch", "decathlon")[:2] == (0, "decathlon: in SPCABENCH_DATA\n")
