"""The page docs/leaderboard.md: its commands, each in a process of its own, on a small leaderboard."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from submitted import SUITE

from spcabench.store.folder import RunFolder

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "leaderboard.md").read_text(encoding="utf-8")
COMMANDS = [line for block in PAGE.split("```console\n")[1:] for line in block.partition("```")[0].splitlines()]
LATER = COMMANDS.index("spcabench submission merge submissions/my_method --into reports/board")


@pytest.mark.weekly
def test_the_page_leads_from_a_file_to_a_row(tmp_path):
    (tmp_path / "suites").mkdir()
    suite = {**SUITE, "name": "leaderboard", "seeds": 1, "scales": {"quick": {"seeds": 1}}}
    (tmp_path / "suites" / "leaderboard.yaml").write_text(yaml.safe_dump(suite))
    first = "spcabench run leaderboard --quick"
    go(tmp_path, first)
    before = stamps(tmp_path / "reports" / "leaderboard-quick")
    go(tmp_path, f"{first} --output reports/board")
    for line in COMMANDS[:LATER]:
        go(tmp_path, line)
    after = stamps(tmp_path / "reports" / "leaderboard-quick")
    assert before.items() <= after.items()
    assert len(after) == len(before) + 2
    assert "my_method" in (tmp_path / "site" / "leaderboard.csv").read_text()
    for line in COMMANDS[LATER:]:
        go(tmp_path, line)
    rows = (tmp_path / "leaderboard.csv").read_text().splitlines()
    assert {row.partition(",")[0] for row in rows} == {"method", "pca", "st", "my_method"}


def go(place, line):
    """Run a command of the page."""
    words = [sys.executable, "-m", *shlex.split(line)]
    done = subprocess.run(words, cwd=place, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (line, done.stdout, done.stderr)


def stamps(run):
    """Return each record of a run."""
    return {record.key: record for record in RunFolder(run).records()}
