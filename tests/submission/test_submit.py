"""What a submission has, and when none is written."""

from dataclasses import replace

import pytest
from submitted import ADDED, KEPT, NAME, run

from spcabench.check.subjects import Finding
from spcabench.submission import read_manifest
from spcabench.wording import InputError


def test_it_has_what_others_need_and_no_folder_of_this_machine(place):
    folder = place.submission
    names = {file.name for file in folder.path.iterdir()}
    assert names == {"submission.json", "suite.yaml", "run.sqlite", f"{NAME}.py"}
    manifest = read_manifest(folder.path)
    assert (manifest.label, manifest.source) == (NAME, f"{NAME}.py")
    assert len(list(folder.records())) == len(folder.index) == 4
    assert folder.about().environment["numpy"]
    for name in names:
        assert bytes(place.path.parent) not in (folder.path / name).read_bytes()


def test_a_run_of_all_methods_has_a_submission_of_one(place):
    run(place.path / "tiny.yaml", place.apart.path, [place.plugin], settings=ADDED)
    assert len(list(place.submit("new").records())) == 4


@pytest.mark.parametrize("missing", [True, False], ids=["no records", "interrupted"])
def test_what_is_not_whole_is_not_submitted(place, missing):
    folder = place.apart
    for record in list(folder.records()):
        if missing:
            folder.forget([record.key])
        else:
            folder.save(replace(record, status="interrupted"))
    with pytest.raises(InputError, match="4 of 4 cells of shortened have no result, such as shortened on spiked"):
        place.submit()
    assert not (place.path / "new").exists()


def test_a_method_that_breaks_a_promise_is_not_submitted(place):
    with pytest.raises(InputError, match="shortened breaks the promise 'sign': it does not; mend the method"):
        place.submit(findings=[*KEPT[:-1], Finding("sign", "broken", "it does not")])


def test_an_unknown_label_has_the_nearest_and_the_way_to_add_it(place):
    with pytest.raises(InputError, match=r"no method 'shortene'.*shortened.*--set methods\.\+=shortene"):
        place.submit(label="shortene")


def test_a_folder_with_something_in_it_is_left_alone(place):
    (place.path / "new").mkdir()
    (place.path / "new" / "mine").write_text("mine")
    with pytest.raises(InputError, match="is there already and not empty"):
        place.submit()
    assert [file.name for file in (place.path / "new").iterdir()] == ["mine"]
