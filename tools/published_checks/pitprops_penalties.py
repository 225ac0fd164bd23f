"""What penalties, thresholds and bounds reach on pitprops: DCPCA, ALSPCA, PMD, SPCArt and alternating schemes."""

from __future__ import annotations

from functools import partial

import numpy as np

from published_checks.claims import Same, add, at_least, at_most, check, exactly, near, zero
from published_checks.estimators import counts, features
from published_checks.pitprops import (
    ELEVEN,
    OPTIMUM,
    SEVEN,
    cpev,
    nor,
    percent_of_each,
    pitprops,
)

# 10: DCPCA


for rho, chosen in ((0.1, ELEVEN), (0.3, SEVEN), (0.5, SEVEN), (0.8, SEVEN)):
    found = partial(pitprops, "dcpca", n_components=1, rho=rho)
    if rho == 0.1:
        add("10", "dcpca", f"pitprops, rho = {rho}: nonzeros", exactly(11), lambda found=found: found().n_nonzero_[0])
    else:
        add(
            "10",
            "dcpca",
            f"pitprops, rho = {rho}: support",
            Same(chosen),
            lambda found=found: features(found().components_[0]),
        )


# 14: ALSPCA


STOPPED = "it stops at the published tolerance with an entry below 1e-4; at 1e-5 the pattern is 5 2 3 1 1 1"


for rho, pattern, share, params, reason in (
    (0.05, "8 5 6 2 8 3", 0.8514, {"step": "spectral"}, ""),
    (0.1, "8 5 5 2 1 3", 0.8110, {"step": "spectral"}, ""),
    (0.15, "7 2 3 1 1 1", 0.8008, {}, ""),
    (0.2, "5 2 3 1 1 1", 0.7780, {}, STOPPED),
    (0.2, "5 2 3 1 1 1", 0.7780, {"tol": 1e-5}, ""),
):
    where = f"pitprops, 6 components, rho = {rho}"
    stated = "".join(f", {key} = {value}" for key, value in params.items())
    same = partial(pitprops, "alspca", n_components=6, rho=rho, **params)
    add("14", "alspca", f"{where}{stated}: nonzeros", Same(pattern), lambda same=same: counts(same()), reason=reason)
    if "tol" in params:
        continue
    found = partial(pitprops, "alspca", n_components=6, rho=rho)
    add("14", "alspca", f"{where}: CPEV", near(share, 3e-4), lambda found=found: cpev(found()))
    add("14", "alspca", f"{where}: NOR", at_most(1e-3, 1e-5), lambda found=found: nor(found()))
    add("14", "alspca", f"{where}: updates of the multipliers", at_most(10, 2.0), lambda found=found: found().n_iter_)


# 17: PMD


for bound, nonzeros, share in ((1.2, 2, 10.92), (1.75, 4, 19.65), (2.5, 7, 29.89), (3.1163, 13, 32.45)):
    found = partial(pitprops, "pmd", n_components=1, bound=bound)
    add("17", "pmd", f"pitprops, c = {bound}: nonzeros", exactly(nonzeros), lambda found=found: found().n_nonzero_[0])
    add(
        "17",
        "pmd",
        f"pitprops, c = {bound}: % of the first",
        near(share, 5e-3),
        lambda found=found: percent_of_each(found())[0],
    )


@check("17", "pca", "pitprops: l1 norm of the first loading, from which on c has no effect", near(3.1162, 5e-5))
def l1_norm() -> object:
    return np.abs(pitprops("pca", n_components=1).components_).sum()


# 23: the stop of SPCArt


for tol, value in ((1e-2, 0.0181), (1e-3, 0.0174), (0.0, 0.0173)):
    add(
        "23.3",
        "spcart_l0",
        f"pitprops, 6 components, tol = {tol}: NOR",
        near(value, 5e-5),
        lambda tol=tol: nor(pitprops("spcart_l0", n_components=6, tol=tol)),
    )


add(
    "23.6",
    "spcart_l0",
    "pitprops, 6 components: iterations",
    exactly(18),
    lambda: pitprops("spcart_l0", n_components=6).n_iter_,
)


add(
    "25",
    "rsvdgpb_l0",
    "pitprops, 6 components, threshold 0.3: iterations",
    exactly(5),
    lambda: pitprops("rsvdgpb_l0", n_components=6, threshold=0.3).n_iter_,
)


add(
    "25",
    "rsvdgpb_sp",
    "pitprops, 6 components, k = 3: iterations",
    exactly(7),
    lambda: pitprops("rsvdgpb_sp", n_components=6, n_nonzero=3).n_iter_,
)


# 27, 28, 30


for k in (4, 6, 9):
    add(
        "27",
        "am_l2_l0c",
        f"pitprops, k = {k}, 10 random starts: variance",
        near(OPTIMUM[k - 1], 1e-4),
        lambda k=k: pitprops("am_l2_l0c", n_components=1, n_nonzero=k, random_state=0).objective_[0] ** 2,
    )


for alpha in (0.05, 0.1):
    for name in ("varpro", "varpro_random"):
        extra = {"random_state": 0} if name == "varpro_random" else {}
        add(
            "28",
            name,
            f"pitprops, 6 components, alpha = {alpha}: nonzeros",
            Same("6 2 2 1 1 1"),
            lambda name=name, alpha=alpha, extra=extra: counts(
                pitprops(name, n_components=6, alpha=alpha, tol=1e-8, max_iter=5000, **extra)
            ),
        )


for r, total in ((3, 7.1991), (6, 10.531)):
    found = partial(pitprops, "multi_orth", n_components=r, n_nonzero=4, random_state=int(r == 6))
    where = f"pitprops, {r} components, k = 4"
    add(
        "30",
        "multi_orth",
        f"{where}: sum of variances",
        at_least(total, 1e-4),
        lambda found=found: found().objective_.sum(),
    )
    add("30", "multi_orth", f"{where}: NOR", zero(1e-5), lambda found=found: nor(found()))
    add(
        "30",
        "multi_orth",
        f"{where}: sum of magnitudes of W'W - I",
        at_most(1e-4, 1e-6),
        lambda found=found: found().violation_,
    )


add(
    "30",
    "multi_orth",
    "pitprops, 6 components, k = 4: CPEV",
    at_least(0.8101, 1e-4),
    lambda: cpev(pitprops("multi_orth", n_components=6, n_nonzero=4, random_state=1)),
)


add(
    "30",
    "multi_orth",
    "pitprops, 6 components, k = 4: rounds",
    near(173, 20.0),
    lambda: pitprops("multi_orth", n_components=6, n_nonzero=4, random_state=1).n_iter_,
    reason="ours makes all of its 200 rounds; its sum of variances is the expected one",
)
