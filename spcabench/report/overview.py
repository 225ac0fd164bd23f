"""The published numbers of several runs on one page."""

from __future__ import annotations

from collections.abc import Sequence

from spcabench.report.formats import markdown_text, to_markdown
from spcabench.report.published import VERDICTS, beside, pairs
from spcabench.report.results import Results


def overview(runs: Sequence[Results]) -> str:
    """Write a Markdown page: how many of the published numbers are reached, then each of them beside ours.

    Parameters
    ----------
    runs : sequence of Results
        Runs whose suites set no published numbers are left out.
    """
    verdicts = [pair.verdict for run in runs for block in run.suite.published for pair in pairs(run, block)]
    if not verdicts:
        return "# Published numbers beside ours\n\nThe suites of these runs set no published numbers.\n"
    counts = ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in VERDICTS if verdict in verdicts)
    blocks = [
        "# Published numbers beside ours",
        f"{len(verdicts)} numbers: {counts}.  Means over the seeds; a number matches within the tolerance that its "
        "suite states, or lies within the spread if it is no further than two standard deviations over the seeds.",
    ]
    for run in runs:
        for block in run.suite.published:
            table = beside(run, [block])
            if table is not None:
                cells = table.cells.drop(columns="source")
                blocks += [
                    f"## {markdown_text(run.suite.name)}: {markdown_text(block.source)}",
                    markdown_text(block.note),
                    to_markdown(type(table)(table.caption, table.values, cells, table.right)),
                ]
    return "\n\n".join(filter(None, blocks)) + "\n"
