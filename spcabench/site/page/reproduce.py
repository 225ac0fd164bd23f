"""Compute the scores of a leaderboard from its cells: ``python reproduce.py [FOLDER]`` writes scores.csv there."""

import sys
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import rankdata, skew

folder = sys.argv[1] if len(sys.argv) > 1 else "."
tables, tests, scores, tiers = {}, [], [], dict[str, int]()
cells, asked = pd.read_csv(f"{folder}/cells.csv.gz", low_memory=False), pd.read_csv(f"{folder}/questions.csv")
for name, parts in asked.groupby("question", sort=False):  # what each method reached on each source
    ask, target = parts.iloc[0], ["run", "dataset", "n_components", "n_nonzero"]
    own = cells[cells.state.isin(["counts", "failed"])].merge(parts[target[:3]], on=target[:3])
    own["value"] = (
        own[ask.column] * (1 if ask.better == "higher" else -1) if name != "cost" else -np.log(own[ask.column])
    )
    unknown = (own.state == "counts") & own.value.isna()
    own = own[~unknown.groupby([own.dataset, own.method]).transform("any")].fillna({"value": -np.inf})
    rows = own.pivot_table(index=["source", *target, "seed"], columns="method", values="value")
    known = rows.where(np.isfinite(rows)).dropna(how="all")
    scale = known.max(axis=1) ** int(ask.relative)
    rows, known = (one.loc[known.index].div(scale, axis=0) - int(ask.relative) for one in (rows, known))
    lowest = known.min(axis=1) - 2 * ask.margin
    rows = pd.DataFrame({label: own.mask(np.isneginf(own), lowest) for label, own in rows.items()})
    rows = rows[(rows.max(axis=1) - rows.min(axis=1) > ask.margin).groupby(target).transform("any")]
    means = rows.groupby(["source", *target[:2]]).mean().groupby("source").mean()
    tables[name] = means.where(rows.notna().groupby("source").all()), ask.margin * (1 + 1e-9)
    for a, b in combinations(means, 2):  # signed ranks, or signs where differences are skewed
        off = (tables[name][0][a] - tables[name][0][b]).dropna().to_numpy()
        off = np.where(abs(off) <= tables[name][1], 0, off)
        weights = np.ones(len(off)) if len(off) and float(np.abs(skew(off))) > 1 else rankdata(abs(off)) * 2
        chances, ahead = np.ones(1), int(weights[off > 0].sum())
        for weight in weights[off != 0].astype(int):
            chances = np.convolve(chances, np.r_[0.5, np.zeros(weight - 1), 0.5])
        p, pair = 2 * min(chances[: ahead + 1].sum(), chances[ahead:].sum()), (a, b)
        pair = pair if ahead > weights[off < 0].sum() else (b, a)
        tests.append((p, 2 * 0.5 ** (off != 0).sum(), name, pair))
least, needed = np.array([test[1] for test in tests]), 1 + np.ceil(np.log2(len(tests) / 0.05))
size = next((k for k in range(1, len(tests) + 1) if (least <= 0.05 / k).sum() <= k), len(tests))
family = sorted(test for test in tests if test[1] <= 0.05 / size)  # Tarone 1990, Holm 1979
false = (i for i, test in enumerate(family) if test[0] > 0.05 / (len(family) - i))
sure = {(name, pair) for _, _, name, pair in family[: next(false, len(family))]}
for name, (means, margin) in tables.items():
    tier, left = 0, {method for method in means if means[method].count() >= needed}
    while left:  # those that none of the rest is surely better than
        top = {one for one in left if not any((name, (other, one)) in sure for other in left)}
        tier, left, tiers = tier + 1, left - top, tiers | {f"{name}: {one}": tier + 1 for one in top}
    off = means.to_numpy()[:, None, :] - means.to_numpy()[:, :, None]
    ranks = 1 + (off > margin).sum(axis=2) + ((abs(off) <= margin).sum(axis=2) - 1) / 2
    rank = pd.DataFrame(ranks, means.index, means.columns).where(means.notna()).mean()
    scores += [(name, one, tiers.get(f"{name}: {one}"), rank[one], means[one].mean()) for one in means]
pd.DataFrame(scores, columns=["question", "method", "tier", "rank", "value"]).to_csv(
    f"{folder}/scores.csv", index=False
)
