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


@pytest.mark.parametrize("data", OPTIMA)
@pytest.mark.parametrize(
    "name",
    [
        name if name in ("tpower", "gpower_l0", "rsvd_l0") else pytest.param(name, marks=pytest.mark.nightly)
        for name in NEARLY_ALL
    ],
)
def test_nearly_all_optima_are_found_by_default(name, data):
    assert found(SPECS[name], data).n_optima >= 12


@pytest.mark.nightly
def test_the_page_is_what_the_methods_find():
    assert PAGE.read_text(encoding="utf-8") == page(), f"remake the page: {COMMAND}"
