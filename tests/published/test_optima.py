"""How many proved optima the methods find: the page is that of today, and the defaults find nearly all."""

import pytest
from optima import COMMAND, PAGE, exact_cardinality, found, page
from published_checks.optima import OPTIMA

NEARLY_ALL = (
    *(
        "tpower",
        "gpower_l0",
        "gpower_l1",
        "rsvd_l0",
        "rsvdgp_sp",
        "pathspca",
        "pathspca_full",
        "gspca",
        "gspca_forward",
    ),
    *("gspca_backward", "splicing", "exact", "cop", "empca", "dcpca", "geospca", "multi_orth", "am_l2_l0c"),
)
"""Methods that maximise the variance with so many nonzeros: by default they find 12 of 13 or more."""
SPECS = {spec.name: spec for spec in exact_cardinality()}
COMPUTED = ("tpower", "gpower_l0", "rsvd_l0")
"""Methods for which the fast set computes their cells of the page."""


def cell(name, data):
    """Return what the page says that a method finds by default."""
    (row,) = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(f"| {name} |")]
    return row.split("|")[2 + 2 * list(OPTIMA).index(data)].strip()


@pytest.mark.parametrize("data", OPTIMA)
@pytest.mark.parametrize("name", NEARLY_ALL)
def test_nearly_all_optima_are_found_by_default(name, data):
    assert int(cell(name, data).partition(",")[0]) >= 12


@pytest.mark.parametrize("data", OPTIMA)
@pytest.mark.parametrize("name", COMPUTED)
def test_a_cell_is_what_the_method_finds(name, data):
    assert str(found(SPECS[name], data)) == cell(name, data)


@pytest.mark.nightly
def test_the_page_is_what_the_methods_find():
    assert PAGE.read_text(encoding="utf-8") == page(), f"remake the page: {COMMAND}"
