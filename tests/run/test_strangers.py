"""A run's folder from somebody else is data: no link is followed, no name leads out, and what is damaged is named."""

import json
import os
import shutil

import numpy as np
import pytest

from spcabench.store.about import About
from spcabench.store.arrays import read_arrays
from spcabench.store.inside import Damaged
from spcabench.store.sealed import sealed_json
from spcabench.wording import InputError


@pytest.fixture
def outside(place):
    """Make a file and a folder of somebody else's beside the run."""
    (place / "theirs").mkdir()
    (place / "theirs" / "a.npz").write_text("theirs")
    (place / "secret").write_text("theirs")
    return lambda: (place / "theirs" / "a.npz").read_text() == (place / "secret").read_text() == "theirs"


def test_a_lock_that_is_a_link_is_not_written_through(here, place, outside):
    _, folder, _ = here()
    for link in (os.symlink, os.link):
        (folder.path / ".lock").unlink()
        link(place / "secret", folder.path / ".lock")
        with pytest.raises(InputError, match="cannot be locked"):
            here()
        assert outside()


@pytest.mark.parametrize("kind", ["records", "loadings", "draws"])
def test_a_folder_that_is_a_link_is_neither_read_nor_written(here, place, outside, kind):
    frame, folder, _ = here()
    shutil.copytree(folder.path / kind, place / "theirs", dirs_exist_ok=True)
    before = sorted(file.name for file in (place / "theirs").iterdir())
    shutil.rmtree(folder.path / kind)
    (folder.path / kind).symlink_to(place / "theirs")
    assert folder.others((), ()) == [name for name in folder.others((), ()) if not name.startswith(kind)]
    assert kind == "draws" or folder.kept(frame.key[0]) is None
    with pytest.raises(InputError, match=f"'{kind}' is a link"):
        here()
    folder.forget()
    assert sorted(file.name for file in (place / "theirs").iterdir()) == before
    assert outside()


def test_an_index_that_names_another_place_is_not_followed(here, place):
    frame, folder, _ = here()
    shutil.copyfile(folder.record_file(frame.key[0]), place / "secret.json")
    index = dict.fromkeys(folder.index, "../../secret")
    folder.write_bytes("index.json", sealed_json(json.dumps(index).encode()))
    assert folder.index == {}
    assert folder.record("../../secret") is None
    assert "it holds what is no key" in folder.damages[0]


def test_a_record_copied_over_another_counts_as_none(here):
    frame, folder, _ = here(seeds=2)
    shutil.copyfile(folder.record_file(frame.key[0]), folder.record_file(frame.key[1]))
    again, _, events = here(seeds=2)
    assert "it is the record of another key" in "\n".join(event.text for event in events)
    assert again.cpev.tolist() == frame.cpev.tolist()


def test_another_file_copied_over_run_json_counts_as_none(here):
    _, folder, _ = here()
    shutil.copyfile(folder.path / "index.json", folder.path / "run.json")
    assert folder.about() == About()
    assert [line.split(": ")[0] for line in folder.damages] == [str(folder.path / "run.json")]


def test_keys_exchanged_in_the_index_show_no_number(here):
    from spcabench.store.frame import results_frame
    from spcabench.suite.load import load_suite

    _, folder, _ = here(seeds=2)
    (a, key_a), (b, key_b) = folder.index.items()
    folder.keep_index({a: key_b, b: key_a})
    from odd_suite import ODD

    from spcabench.plugins import load_registry

    plan = load_suite("odd.yaml", load_registry([ODD])).plan
    assert results_frame(folder, plan).status.tolist() == ["pending", "pending"]


def test_a_changed_number_is_never_shown(here):
    frame, folder, _ = here(metrics=["mean_nnz"])
    file = folder.record_file(frame.key[0])
    file.write_bytes(file.read_bytes().replace(b'"mean_nnz": 1.0', b'"mean_nnz": 7.0'))
    assert folder.kept(frame.key[0]) is None
    again, _, events = here(metrics=["mean_nnz"])
    assert again.mean_nnz[0] == 1.0
    assert sum("its checksum does not fit" in event.text for event in events) == 1


def test_a_damaged_file_is_named_once_by_status(here, cli, place):
    frame, folder, _ = here(seeds=2)
    folder.loadings_file(frame.key[0]).write_bytes(b"")
    samples = folder.path / "draws" / f"{frame.draw_id[0]}.npz"
    facts = folder.path / "draws" / f"{frame.draw_id[1]}.json"
    samples.write_bytes(b"")
    facts.write_bytes(b"")
    out, err = cli("status", "out").communicate(timeout=60)
    lines = [line for line in out.splitlines() if line.startswith("damaged: ")]
    assert len(lines) == 3, out + err
    assert f"out/loadings/{frame.key[0]}.npz: its checksum is not that of its record" in lines[0]
    assert {str(samples), str(facts)} == {line.split(": ")[1] for line in lines[1:]}
    assert "1 of 2 cells done" in out


def test_a_damaged_index_lets_clean_remove_nothing(here, cli):
    _, folder, _ = here()
    (folder.path / "index.json").write_bytes(b"{}")
    clean = cli("status", "out", "--clean", "--yes")
    assert "nothing is removed" in clean.communicate(timeout=60)[1]
    assert clean.returncode == 2
    assert list((folder.path / "records").iterdir())


def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(here):
    frame, folder, _ = here()
    for file in (folder.record_file(frame.key[0]), folder.path / "run.json"):
        file.unlink()
        os.mkfifo(file)
    assert folder.record(frame.key[0]) is None
    assert folder.about().command == ""


def saved(file, **arrays):
    np.savez(file, **arrays)
    return file.read_bytes()


def test_arrays_are_read_as_they_were_saved(tmp_path):
    arrays = {
        "components": np.arange(6.0).reshape(2, 3),
        "columns": np.asfortranarray(np.eye(2, 3)),
        "none": np.zeros(0),
    }
    read = read_arrays(saved(tmp_path / "a.npz", **arrays))
    assert read.keys() == arrays.keys()
    assert all(np.array_equal(read[name], values) for name, values in arrays.items())


@pytest.mark.parametrize("value", [1j * np.ones(2), np.array([print]), np.array(["a"]), np.array(["2020"], "M8")])
def test_arrays_of_other_things_are_refused(tmp_path, value):
    with pytest.raises(Damaged):
        read_arrays(saved(tmp_path / "a.npz", components=value))


def test_an_array_that_claims_more_than_it_has_is_refused(tmp_path):
    content = saved(tmp_path / "a.npz", components=np.eye(2, 40))
    claims = content.replace(b"(2, 40)", b"(9**9,)"[:7].ljust(7))
    with pytest.raises(Damaged):
        read_arrays(claims)
    np.savez_compressed(tmp_path / "b.npz", components=np.zeros(10**6))
    with pytest.raises(Damaged, match="encrypted or packed"):
        read_arrays((tmp_path / "b.npz").read_bytes())


@pytest.mark.parametrize(
    "change",
    [
        {"status": "great"},
        {"metrics": {"cpev": [1.0]}},
        {"metrics": {"cpev": int("9" * 400)}},
        {"timing": {"fit_time": [None], "search_time": [0.0], "n_fits": [0.0]}},
        {"timing": {}},
        {"fit": {"nnz": [2**80]}},
        {"cell": []},
        {"reason": 5},
    ],
    ids=str,
)
def test_a_sealed_record_of_wrong_types_counts_as_none(here, change):
    frame, folder, _ = here()
    found = json.loads(folder.record_file(frame.key[0]).read_text())
    del found["format"], found["sha256"]
    folder.write_bytes(f"records/{frame.key[0]}.json", sealed_json(json.dumps(found).encode()))
    assert folder.record(frame.key[0]) is not None
    folder.write_bytes(f"records/{frame.key[0]}.json", sealed_json(json.dumps(found | change).encode()))
    assert folder.record(frame.key[0]) is None
    assert "it is no record" in folder.damages[0]


@pytest.mark.parametrize("text", [b"[" * 100_000, b"9" * 10_000, b'{"a": ' * 50_000])
def test_json_too_deep_or_too_large_counts_as_none(here, text):
    frame, folder, _ = here()
    folder.write_bytes(f"records/{frame.key[0]}.json", sealed_json(b'{"key": ' + text + b"}"))
    assert folder.record(frame.key[0]) is None
