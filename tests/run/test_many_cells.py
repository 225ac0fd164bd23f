"""What a run of many cells must not do: read what no cell needs, or draw and keep data that no cell needs."""

from after_runs import change

from spcabench.run.dataset_store import DatasetStore
from spcabench.store.folder import RunFolder


def test_a_run_with_nothing_to_do_reads_no_record(here, monkeypatch):
    here(seeds=3, methods=["axes", "raises"])
    read = []
    monkeypatch.setattr("spcabench.store.frame.results_frame", lambda folder, plan: None)
    monkeypatch.setattr(RunFolder, "record", lambda self, key: read.append(key))
    here(seeds=3, methods=["axes", "raises"])
    assert read == []


def test_data_is_drawn_when_a_cell_needs_it_and_dropped_after_the_last(here, monkeypatch):
    kept, begin = [], DatasetStore.task

    def look(self, draw):
        kept.append(len(self._places))
        return begin(self, draw)

    monkeypatch.setattr(DatasetStore, "task", look)
    frame, _, events = here(seeds=5, methods=["axes", "warns"], repeats=2)
    assert (frame.status == "ok").all()
    assert kept == [0, 1, 2, 3, 4], "in the second repeat each is needed again"
    kept.clear()
    frame, _, events = here(seeds=5, methods=["axes", "warns"], folder="once")
    assert (frame.status == "ok").all()
    assert max(kept) == 0
    drawn = [event.text.startswith("drawing") for event in events]
    assert drawn == [True, False, False] * 5


def test_a_resumed_run_draws_what_it_needs_alone(here):
    frame, folder, _ = here(seeds=4)
    change(folder.path, "DELETE FROM records WHERE key = ?", frame.key[0])
    frame, _, events = here(seeds=4)
    assert sum("drawing" in event.text for event in events) == 1
    assert (frame.status == "ok").all()
