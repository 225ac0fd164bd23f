"""The leaderboard site: the answer first, numbers that the script beside it finds again, links that hold."""

import csv
import gzip
import io
import math
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from boards import MANY, board_cell, board_run, of, track

from spcabench.report.render.text import entry_text
from spcabench.site.board_page import answers
from spcabench.site.build import site, write
from spcabench.specs import DatasetSpec
from spcabench.wording import InputError

NASTY = "<img src=x onerror=alert()>"


def written(results, path="index.html"):
    output = results.folder.path.parent / "site"
    write(site([results], {}), output, "Made.")
    return (output / path).read_text()


def block(made, path, heading):
    """Return what stands in a section of a page."""
    return next(section.blocks for section in page_of(made, path).sections if section.heading == heading)


def page_of(made, path):
    (page,) = (page for page in made.pages if page.path == path)
    return page


def three(make, **methods):
    return board_run(make, methods)


def noisy(seed=0, **shifts):
    """Return methods that reach a level of each data set, noise of their own, and a shift."""
    rng = np.random.default_rng(seed)
    level = dict(zip(MANY, 0.5 + 0.05 * rng.standard_normal(len(MANY)), strict=True))
    own = {name: dict(zip(MANY, 0.01 * rng.standard_normal(len(MANY)), strict=True)) for name in shifts}
    return {"dense": 0.9} | {
        name: lambda a, _, name=name, by=by: level[a] + own[name][a] + by for name, by in shifts.items()
    }


def said(*runs):
    """Return the answers of each question: what to take, and each cell as text."""
    rows = answers(of(*runs)).rows
    return [[entry.text or entry.value for entry in row] for row in rows]


def test_the_answer_says_what_to_take_and_what_is_as_good(make):
    shifts = {"m0": 0.03, "m1": 0.029, **{f"m{n}": 0.0 for n in range(2, 9)}}
    ((situation, leader, *_, as_good),) = said(board_run(make, noisy(**shifts), datasets=MANY))
    assert (situation, {leader, as_good}) == ("several components, their span", {"m0", "m1"})
    ((*_, alone),) = said(board_run(make, noisy(m0=0.5, m1=0.0, m2=0.0), datasets=MANY))
    assert alone == "none: no other is in tier 1"


def test_few_sources_say_nothing_for_sure_and_how_many_would(make):
    ((*_, words),) = said(three(make, dense=0.9, low=0.2, mid=0.6, top=0.8))
    assert words == "any: 3 sources tell none apart, 7 would do"


def test_a_loss_of_less_than_a_proof_can_tell_is_none(make):
    values = {"dense": 0.9, "nearly": lambda a, _: 0.6 - 1e-10 if a == "a" else 0.61, "top": 0.6, "low": 0.2}
    ((_, leader, reached, *_),) = said(board_run(make, values, tracks=[track(relative=True)]))
    assert (leader, reached) == ("nearly", "0 %")


def test_what_it_costs_stands_beside_the_answer(make):
    def timed(value, seconds):
        return {"cpev": value, "cpu_time": seconds, "cpu_times": (seconds,) * 5}

    plan = {"dense": timed(0.9, 0.1), "low": timed(0.2, 0.1), "top": timed(0.5, 0.2)}
    span, cost = said(board_run(make, plan, tracks=[track(), track("cost", "fit_time")]))
    assert (span[1], span[5], cost[1], cost[2]) == ("top", "2 ×", "low", "1 ×")


def test_the_front_page_has_a_row_for_each_method_with_its_tiers_and_failures(make):
    plan = noisy(m0=0.03, m1=0.0, m2=0.0) | {"out": {"status": "skipped", "reason": "it needs samples"}}
    plan["m2"] = {"status": "timeout", "cpev": math.nan}
    made = site([board_run(make, plan, datasets=MANY)], {})
    (table,) = (one for one in block(made, "index.html", "All methods") if hasattr(one, "rows"))
    texts = {row[0].value: [entry.text or entry.value for entry in row] for row in table.rows}
    assert list(texts) == ["m0", "m1", "m2"]
    assert texts["m0"][2].endswith("(1)")
    assert texts["m2"][2].endswith("(3)")
    assert [row[3].value for row in table.rows] == [0, 0, 25]
    assert "out (it needs samples)" in str(block(made, "questions/span.html", "Methods"))


def test_a_method_says_what_it_is_surely_better_than(make):
    made = site([board_run(make, noisy(m0=0.03, m1=0.0, m2=0.0), datasets=MANY)], {})
    (places,) = block(made, "methods/m0.html", "Where it stands")
    assert places.rows[0][-2].text == "2: m1, m2"
    assert places.rows[0][-1].text == "0"


def test_a_method_has_its_rank_and_value_on_each_source(make):
    plan = {"dense": 0.9, "low": 0.2, "mid": lambda a, _: 0.1 if a == "b" else 0.6, "top": 0.6}
    plan["some"] = lambda a, _: {"status": "skipped"} if a == "a" else 0.4
    made = site([board_run(make, plan)], {})
    (table,) = block(made, "methods/mid.html", "Source by source")
    assert [[entry.text or entry.value for entry in row] for row in table.rows] == [
        ["span", "a", 1.5, 3, "cpev", "60.0 %"],
        ["span", "b", 4.0, 4, "cpev", "10.0 %"],
        ["span", "c", 1.5, 4, "cpev", "60.0 %"],
    ]
    (table,) = block(made, "methods/some.html", "Source by source")
    assert [row[1].value for row in table.rows] == ["b", "c"]


def test_a_bound_stands_beside_the_best_that_is_known(make):
    def cell(value, nor):
        return lambda a, _: {"cpev": value, "nor": nor if a == "a" else 0.0}

    plan = {"dense": 0.9, "low": cell(0.2, 0.0), "top": cell(0.6, 0.3), "lost": {"status": "timeout", "cpev": 0.99}}
    asked = track(beside=["nor"], bounds={"a": 0.55, "b": 0.61, "gone": 0.5})
    made = site([board_run(make, plan, tracks=[asked])], {})
    (table,) = block(made, "questions/span.html", "Orthogonal components")
    assert [[entry.value for entry in row] for row in table.rows] == [
        ["a", 0.55, 0.6, "top", 0.3],
        ["b", 0.61, 0.6, "top", 0.0],
    ]


def test_an_earlier_board_stands_beside_this_one_with_what_changed(make, tmp_path):
    def scores(**values):
        made = site([board_run(type(make)(tmp_path / str(len(values))), {"dense": 0.9, **values})], {})
        return pd.read_csv(io.BytesIO(made.files["leaderboard.csv"]), dtype={"code": object})

    earlier = scores(low=0.2, mid=0.3, gone=0.1, same=0.05)
    earlier.loc[earlier["method"] == "same", "code"] = "another"
    results = board_run(make, {"dense": 0.9, "low": 0.2, "mid": 0.4, "new": 0.5, "same": 0.05})
    made = site([results], {}, earlier)
    page = page_of(made, "changes.html")
    assert page.lead.startswith("5 of 5 rows differ")
    (table,) = block(made, "changes.html", "Scores")
    rows = {row[1].value: list(map(entry_text, row)) for row in table.rows}
    assert rows["mid"] == ["span", "mid", "—", "—", "1", "2", "0.3000", "0.4000", "mean rank, value"]
    assert rows["new"][2:] == ["—", "—", "—", "1", "—", "0.5000", "new"]
    assert rows["gone"][2:] == ["—", "—", "3", "—", "0.1000", "—", "gone"]
    assert {name: row[-1] for name, row in rows.items()}["same"] == "code"
    assert page_of(site([results], {}, scores(low=0.2, a=0.1)), "changes.html")
    assert "changes.html" not in [page.path for page in site([results], {}).pages]
    with pytest.raises(InputError, match="the earlier scores have no column code"):
        site([results], {}, earlier.drop(columns="code"))


def test_the_script_beside_the_site_finds_its_scores_again(make, tmp_path):
    def cells(level, by, seed, tight=False):
        rng = np.random.default_rng(seed)
        own = dict(zip(MANY, rng.standard_normal(len(MANY)), strict=True))

        def of_cell(a, draw):
            if seed == 3 and a in "abc":
                return {"status": "timeout", "cpev": math.nan}
            if seed == 6 and a == "w":
                return {"status": "pending", "cpev": math.nan}
            if seed == 4 and a in "xy":
                return {"status": "skipped"}
            value = level + by + 0.002 * own[a] + 0.001 * draw + (MANY.index(a) % 7) / 50
            seconds = 0.1 * (seed + 1) * math.exp(0.3 * own[a])
            cpu = (seconds,) * (4 if seed == 5 and a == "a" else 5)
            missed = {"missed_components": 1.0} if seed == 7 and a in "de" else {}  # failed, with a value
            return {"cpev": value, "cpu_time": seconds, "cpu_times": cpu, "nor": 1 - value} | missed

        return of_cell

    entries = [{"name": a, "source": "both" if a in "ab" else a} for a in MANY]
    methods = {"dense": cells(0.9, 0, 0)} | {f"m{n}": cells(0.5, 0.004 * (n % 4), n) for n in range(1, 8)}
    tracks = [
        track("span", "cpev", MANY, relative=True),
        track("prediction", "nor", MANY[:5]),
        track("cost", "fit_time", MANY),
    ]
    made = site([board_run(make, methods, 2, MANY, tracks, entries)], {})
    for name in ("cells.csv.gz", "questions.csv", "leaderboard.csv", "reproduce.py"):
        (tmp_path / name).write_bytes(made.files[name])
    subprocess.run([sys.executable, "reproduce.py"], cwd=tmp_path, check=True, timeout=300)
    wanted, found = (
        {(row["question"], row["method"]): row for row in csv.DictReader((tmp_path / name).open())}
        for name in ("leaderboard.csv", "scores.csv")
    )
    assert wanted.keys() == found.keys()
    assert len(wanted) >= 20
    assert {row["tier"] for row in wanted.values()} >= {"", "1", "2"}  # none, where sources are few
    for key, row in wanted.items():
        tier, rank = (found[key][name] for name in ("tier", "rank"))
        assert (float(tier or 0), float(rank)) == pytest.approx((float(row["tier"] or 0), float(row["rank"])))
        shown = float(row["value"])
        value = float(found[key]["value"])
        assert (math.exp(-value) if key[0] == "cost" else abs(value)) == pytest.approx(shown)
    lines = made.files["reproduce.py"].decode().splitlines()
    assert sum(bool(line) and not line.startswith('"""') for line in lines) <= 50
    rows = list(csv.DictReader(io.StringIO(gzip.decompress(made.files["cells.csv.gz"]).decode())))
    assert len(rows) == 8 * 25 * 2


def test_all_links_lead_somewhere_and_names_are_text(make):
    results = three(make, dense=0.9, low=0.2, **{NASTY: 0.6})
    front = written(results)
    assert NASTY not in front
    root = results.folder.path.parent / "site"
    for page in root.rglob("*.html"):
        for link in re.findall(r'href="([^"#?]+)', page.read_text()):
            if not link.startswith(("data:", "http")):
                assert (page.parent / link).exists(), (page, link)


def test_what_cannot_be_a_site_is_said(make, tmp_path):
    results = three(make, dense=0.9, low=0.2)
    open_ones = {"dense": 0.9, "low": 0.2, "later": {"status": "pending", "cpev": math.nan}}
    for runs, message in (
        ([make([board_cell(make, "dense", 0.5)])], "no run has results in a track"),
        ([board_run(type(make)(tmp_path / "open"), open_ones)], "no run has results in a track"),
        ([results, results], "two runs have folders of one name"),
        ([results, three(type(make)(tmp_path / "later"), dense=0.9)], "two runs are of one suite at one scale"),
    ):
        with pytest.raises(InputError, match=message):
            site(runs, {})


def test_a_data_set_with_open_cells_ranks_nobody_and_is_named(make):
    def later(dataset, _):
        return {"cpev": 0.1} if dataset == "a" else {"status": "pending", "cpev": math.nan}

    made = site([three(make, dense=0.1, low=0.1, mid=0.6, later=later)], {})
    assert "Not finished yet, and so not counted: b, c." in str(made.pages[0])


def test_methods_and_data_sets_have_their_rows_of_the_tables_of_the_report(make):
    results = three(make, dense=0.9, low=0.2, mid=0.6)
    results.frame.loc[results.frame["key"] == "a-mid-0", ["status", "reason"]] = ["timeout", "slow"]
    made = site([results], {})
    (cells,) = block(made, "methods/mid.html", "Cells that did not finish, or not converge")
    assert [entry.value for entry in cells.rows[0]][-3:] == ["timeout", "slow", "a-mid-0"]
    (results,) = block(made, "datasets/a.html", "Results")
    assert [results.method_of(row) for row in results.rows] == ["dense", "low", "mid"]
    (cells,) = block(made, "datasets/a.html", "Cells that did not finish, or not converge")
    assert [entry.value for entry in cells.rows[0]][-1] == "a-mid-0"
    assert block(made, "datasets/b.html", "Cells that did not finish, or not converge") == ()


def test_a_data_set_says_what_it_is_and_how_large(make):
    make.draw(n_samples=30, n_features=7)
    spec = DatasetSpec(name="a", load="m:f", title="A table", source="Somebody 1967", licence="CC0-1.0")
    made = site([three(make, dense=0.9, low=0.2)], {"a": spec})
    known, drawn = block(made, "datasets/a.html", "What it is")
    assert known.facts == (("data set", "a"), ("source", "Somebody 1967"), ("licence", "CC0-1.0"))
    assert drawn.facts[:2] == (("samples", "30"), ("features", "7"))
    assert page_of(made, "datasets/a.html").lead == "A table"


def test_a_run_leads_to_its_report_which_is_copied(make):
    results = three(make, dense=0.9, low=0.2, mid=0.6)
    name = results.folder.path.name
    assert site([results], {}).places["report"] == {}
    results.folder.write_text("report.html", "the report")
    assert f'href="runs/{name}/report.html"' in written(results)
    assert (results.folder.path.parent / "site" / "runs" / name / "report.html").read_text() == "the report"
