"""Make suites/items.csv: what the three papers say, item by item, with the verdicts of today's snapshots.

::

    python tools/items.py

The list is written by hand: paper, place, item and what holds it, which is one of

- ``spcabench run SUITE: NAME``, a claim of the suite, of which place and item are those of the suite;
- ``spcabench run SUITE: table N`` or ``spcabench run SUITE: table N: METHOD``, published numbers of the suite;
- ``checks.py WORDS``, the checks whose line has all these words;
- ``reasons.py NAME``, a computation that explains a number which is not reached;
- nothing, if no computation can say it, and then what was tried.

The program fills in the rest: what the paper has, what ours is, the verdict, and what was tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from checks import CSV as CHECKS
from published import CLAIMS, NUMBERS
from reasons import CSV as REASONS
from shipped import shipped
from snapshots import REPORTS, Row, read, write

from spcabench.report.published import COMPUTED

LIST = REPORTS.parent / "suites" / "items.csv"
RUN, CHECK, REASON = "spcabench run ", "checks.py ", "reasons.py "


def together(verdicts: Iterable[str]) -> str:
    """Return the verdict on an item of several numbers: the worst; open if there are none."""
    found = set(verdicts)
    return next((one for one in ("refuted", "open", "explained", "reproduced") if one in found), "open")


@cache
def held(file: Path) -> tuple[Row, ...]:
    """Return the rows of a snapshot, read once for all items."""
    return read(file).rows


def checked(words: str) -> Row:
    """Return what the checks whose line has all these words come to."""
    rows = [row for row in held(CHECKS) if all(word in _line(row) for word in words.split())]
    if not rows:
        raise LookupError(f"no check has {words!r}")
    verdicts = ["reproduced" if row["verdict"] == "reached" else _missed(row["reason"]) for row in rows]
    verdict = together(verdicts)
    row = rows[verdicts.index(verdict)]
    ours = f"{row['check']}: {row['reached']}" + (f", and {len(rows) - 1} more" if len(rows) > 1 else "")
    return {"published": row["expected"], "ours": ours, "verdict": verdict, "tried": row["reason"]}


def _line(row: Row) -> str:
    return f"{row['section']} {row['method']}: {row['check']} ({row['source']})"


def _missed(reason: str) -> str:
    return "explained" if COMPUTED.search(reason) else "refuted"


def ran(held_by: str) -> Row:
    """Return what a suite's snapshot has of a claim, of a table, or of a method in a table."""
    suite, name, *method = held_by.split(": ")
    if name.startswith("table "):
        place = name.removeprefix("table ")
        rows = [row for row in held(NUMBERS) if (row["suite"], row["table"]) == (suite, place) and row["verdict"]]
        rows = [row for row in rows if not method or row["method"] == method[0]]
        if not rows:
            raise LookupError(f"no published number is held by {held_by!r}")
        verdict = together(row["verdict"] for row in rows)
        row = next(row for row in rows if row["verdict"] == verdict)
        counts = f" ({sum(one['verdict'] == verdict for one in rows)} of {len(rows)} numbers)" if len(rows) > 1 else ""
        where = f"{row['method']} {row['metric']}"
        tried = ". ".join(filter(None, (row["why"], row["reason"]))) if verdict != "reproduced" else ""
        return {
            "published": f"{where} {row['published']}",
            "ours": f"{where} {row['measured']}{counts}",
            "verdict": verdict,
            "tried": tried,
        }
    claim = next(one for one in shipped(suite).suite.claims if one.name == name)
    row = next(row for row in held(CLAIMS) if (row["suite"], row["claim"]) == (suite, name))
    tried = " ".join(claim.tried.split()) or "the run itself: the suite and its protocol are what was tried"
    return {
        "place": claim.place.partition("), ")[2],
        "item": " ".join(claim.says.split()),
        "published": "",
        "ours": row["ours"],
        "verdict": row["verdict"],
        "tried": "" if row["verdict"] == "reproduced" else tried,
    }


def filled(item: Row) -> Row:
    """Return an item with what the snapshots have of it."""
    held_by = item["held_by"]
    if held_by.startswith(RUN):
        return {**item, **ran(held_by.removeprefix(RUN))}
    if held_by.startswith(CHECK):
        return {**item, **checked(held_by.removeprefix(CHECK))}
    if held_by.startswith(REASON):
        rows = [row for row in held(REASONS) if row["name"] == held_by.removeprefix(REASON)]
        return {
            **item,
            "published": rows[0]["number"],
            "ours": _variants(rows[1:]),
            "verdict": item["verdict"] or "explained",
        }
    return {**item, "verdict": "open"}


def _variants(rows: Sequence[Row]) -> str:
    return "; ".join(f"{row['variant']}: {row['number']}" for row in rows[:2])


def remade(items: Iterable[Row]) -> list[Row]:
    """Return the list with the verdicts of today's snapshots."""
    return [filled(item) for item in items]


def main(path: Path = LIST) -> None:
    """Write the list anew."""
    write(path, remade(read(path).rows))


if __name__ == "__main__":
    main()
