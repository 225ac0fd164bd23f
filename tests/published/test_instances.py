"""reports/instances.md: each instance is certified, within a second, and what it says is what the search finds."""

import re

import pytest
from instances import CARDINALITIES, NAMES, PAGE, proved
from published_checks.optima import OPTIMA, correlations

TABLES = [
    [[cell.strip() for cell in line.split("|")[1:-1]] for line in part.splitlines() if re.match(r"\| \w+ \| \d", line)]
    for part in PAGE.read_text(encoding="utf-8").split("\n## ")
]


def test_each_instance_is_certified_within_a_second():
    rows, small = TABLES
    assert {row[0] for row in rows} == {*OPTIMA, *NAMES}
    wanted = sum(k < int(d) for d in {row[0]: row[1] for row in rows}.values() for k in CARDINALITIES)
    assert len(rows) == wanted == 49
    assert [(row[0], row[2]) for row in small] == [(name, str(k)) for name in OPTIMA for k in range(1, 14)]
    for row in rows + small:
        assert row[5] == "yes"
        assert float(row[8]) <= float(row[7]) <= 1
    assert sum(float(row[7]) for row in small) <= 1


@pytest.mark.parametrize("data", OPTIMA)
def test_pitprops_and_wine_are_as_the_page_says(data):
    for name, d, k, value, _, certified, nodes, *_ in TABLES[1]:
        if name == data:
            proof = proved(correlations(name), int(k))
            assert [str(len(correlations(name))), f"{proof.value:.9g}"] == [d, value]
            assert [proof.certified, str(proof.n_nodes)] == [certified == "yes", nodes]
