"""Parameters that are refused, and why: values that are not valid, and values that do not go together."""

import numpy as np
import pytest
import spcabench_methods as library

INVALID = {
    "ALSPCA": {"tol": 0.0},
    "AMGPower": {"bound": 0.5, "rho": 1.0, "variance": "l3", "n_init": 0},
    "BlockDiagonal": {"inner": library.PCA()},
    "COPPCA": {"n_steps": 1.5, "n_candidates": 0, "rank": "best", "whole_path": 1},
    "DCPCA": {"rho": -1.0, "eps": 0.0},
    "DSPCA": {"lam": -0.1},
    "EMPCA": {"n_init": -1},
    "ExactSPCA": {"time_limit": 0.0, "tol": -1.0},
    "GeoSPCA": {"n_nonzero": [3, 4]},
    "GPowerBlock": {"rho": 1.0, "mu": 0.0},
    "GSPCA": {"direction": "up"},
    "ITSPCA": {"gamma": -1.0},
    "PathSPCA": {"search": "best", "polish": 1},
    "PMD": {"bound": [1.5, 0.5]},
    "R1PCA": {"cutoff": 0.0, "weight": "tukey"},
    "RobustSubspace": {"cutoff": -1.0},
    "RSPCA": {"p": 1.5},
    "RSVDGP": {"threshold": [0.1, 1.5]},
    "RSVDGPB": {"threshold": [0.1, 0.2]},
    "SCoTLASS": {"bound": 0.9},
    "SparsePCASelector": {"rows": "sorted", "n_components": 0, "n_nonzero": []},
    "SPCA": {"ridge": "infinite"},
    "SPCAGrid": {"lam": -1.0, "scale": "iqr"},
    "SPCArt": {"threshold": 1.5, "energy": 1.0, "truncation": "L0"},
    "Splicing": {"max_exchange": 0},
    "TPower": {"deflation": "hotelling"},
}
"""Values that a class does not declare as valid."""

CLASHES = [
    (library.AMGPower(rho=0.1), "rho is given; .* valid is None"),
    (library.AMGPower(bound=2.0, form="penalised"), "bound is given; .* valid is None"),
    (library.AMGPower(rho=[0.1], form="penalised"), "rho has 1 values"),
    (library.AMGPower(n_nonzero=[3]), "n_nonzero has 1 values"),
    (library.AMGPower(variance="l1", polish=None), "polish is None and variance is 'l1'; valid is False"),
    (library.EMPCA(nonnegative=True, polish=True), "polish is True and nonnegative is True; valid is False"),
    (library.EMPCA(init="random", n_init=0), "n_init is 0; valid with init='random' is a whole number from 1"),
    (library.GPowerBlock(3, mu=[1.0, 2.0]), "mu has 2 values"),
    (library.GroupTPower(2, [1, 2, 3]), "n_groups has 3 values"),
    (library.GroupTPower(groups=[0, 1]), r"groups has the shape \(2,\); valid is one label for each of the 4"),
    (library.GroupTPower(groups=np.zeros((4, 1))), r"groups has the shape \(4, 1\)"),
    (
        library.GroupTPower(groups=[0, 1, 2, np.nan]),
        "the label of feature 3 in groups is nan; valid is a number or a text",
    ),
    (library.GroupTPower(groups=["a", None, "b", "c"]), "the label of feature 1 in groups is None"),
    (library.ITSPCA(covariance="precomputed"), "n_samples is None; valid"),
    (library.ManPG(2, mu=[0.1, 0.2, 0.3]), "mu has 3 values"),
    (library.RSVDGP(3, threshold=[0.1, 0.2]), "threshold has 2 values"),
    (library.RSVDGP(n_nonzero=3, threshold=0.1), "threshold is given; valid with truncation='l0' is only n_nonzero"),
    (library.RSVDGP(truncation="sp", energy=0.1), "energy is given; valid with truncation='sp' is only n_nonzero"),
    (library.RSVDGPB(n_nonzero=3), "n_nonzero is given; valid with truncation='l0' is only threshold"),
    (library.SPCAGrid(n_angles=24), "n_angles is 24; valid is an odd number"),
    (library.SPCArt(n_nonzero=3), "n_nonzero is given; valid with truncation='l0' is only threshold"),
    (
        library.SPCArt(truncation="sp", threshold=0.1),
        "threshold is given; valid with truncation='sp' is only n_nonzero",
    ),
]

TWICE = [
    library.AMGPower(rho=0.1, form="penalised", n_nonzero=2),
    library.DCPCA(2, 3, rho=0.1),
    library.DiagonalThresholding(1, 3, alpha=3.0),
    library.DSPCA(lam=0.1, n_nonzero=2),
    library.EESPCA(1, 3, threshold=0.1),
    library.FPS(lam=0.1, n_nonzero=2),
    library.PMD(2, 3, bound=1.5),
    library.Rotation(n_nonzero=3, threshold=0.1),
    library.RSVD(n_nonzero=3, lam=0.1),
    library.SCA(3, gamma=5.0, shrinkage=0.1),
    library.SimpleThresholding(n_nonzero=3, threshold=0.1),
    library.SPCA(2, 3, l1=0.1),
    library.SPCAGrid(lam=0.1, n_nonzero=2),
    library.SubspaceFPS(lam=0.1, n_nonzero=2),
]
"""Estimators whose sparsity is set in two ways."""


@pytest.mark.parametrize(
    ("kind", "name", "value"), [(kind, name, value) for kind, bad in INVALID.items() for name, value in bad.items()]
)
def test_a_value_that_is_not_valid_is_named(kind, name, value):
    with pytest.raises(ValueError, match=f"'{name}' parameter of {kind} must be .* Got "):
        getattr(library, kind)(**{name: value}).fit(np.eye(4))


@pytest.mark.parametrize(("method", "message"), CLASHES, ids=repr)
def test_values_that_do_not_go_together_are_refused(method, message):
    with pytest.raises(ValueError, match=message):
        method.fit(np.eye(4))


@pytest.mark.parametrize("method", TWICE, ids=repr)
def test_the_sparsity_is_set_in_one_way(method):
    with pytest.raises(ValueError, match="both given"):
        method.fit(np.eye(4))
