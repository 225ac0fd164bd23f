"""Compute the scores of a leaderboard from its cells: run it in the folder of the files, and it writes scores.csv."""

from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import rankdata

tables, tests, scores, tiers = {}, [], [], dict[str, int]()
cells, asked = pd.read_csv("cells.csv.gz", low_memory=False), pd.read_csv("questions.csv")
for name, parts in asked.groupby("question", sort=False):  # what each method reached on each source
    ask, target = parts.iloc[0], ["run", "dataset", "n_components", "n_nonzero"]
    own = cells[cells.state.isin(["counts", "failed"])].merge(parts[target[:3]], on=target[:3])
    sign = 1 if ask.better == "higher" else -1
    own["value"] = sign * (np.log(own[ask.column]) if name == "cost" else own[ask.column])
    unknown = (own.state == "counts") & own["value"].isna()
    own = own[~unknown.groupby([own.dataset, own.method]).transform("any")]
    own["value"] = own["value"].where(own.state == "counts", -np.inf)
    rows = own.pivot_table(index=["source", *target, "seed"], columns="method", values="value")
    known = rows.where(np.isfinite(rows)).dropna(how="all")
    best = known.max(axis=1) * int(ask.relative)
    rows, known = (one.loc[known.index].sub(best, axis=0).div(abs(best).replace(0, 1), axis=0) for one in (rows, known))
    failed = known.min(axis=1) - 2 * ask.margin
    rows = pd.DataFrame({label: own.mask(np.isneginf(own), failed) for label, own in rows.items()})
    rows = rows[(rows.max(axis=1) - rows.min(axis=1) > ask.margin).groupby(target).transform("any")]
    means = rows.groupby(["source", *target[:2]]).mean().groupby("source").mean()
    means = means.where(rows.notna().groupby("source").all()).dropna(axis=1, how="all")
    tables[name] = means, ask.margin * (1 + 1e-9)
    for a, b in combinations(means, 2):  # signed ranks, or signs where sizes are uneven
        off = (means[a] - means[b]).dropna().to_numpy().round(12)
        off = np.where(abs(off) <= ask.margin * (1 + 1e-9), 0, off)
        squares = off[off != 0] ** 2 if off.any() else np.ones(1)
        weights = np.sign(off) * (1 if (squares**2).mean() > 4 * squares.mean() ** 2 else rankdata(abs(off)) * 2)
        chances, ahead = np.ones(1), int(weights[weights > 0].sum())
        for weight in abs(weights[weights != 0]).astype(int):
            chances = (np.pad(chances, (0, weight)) + np.pad(chances, (weight, 0))) / 2
        p, pair = 2 * min(chances[: ahead + 1].sum(), chances[ahead:].sum()), (a, b)
        tests.append((p, 2 * 0.5 ** (off != 0).sum(), name, pair if weights.sum() > 0 else (b, a)))
least = np.array([test[1] for test in tests])
size = next((k for k in range(1, len(tests) + 1) if (least <= 0.05 / k).sum() <= k), len(tests))
family = sorted(test for test in tests if test[1] <= 0.05 / size)  # Tarone 1990, Holm 1979
false = (i for i, test in enumerate(family) if test[0] > 0.05 / (len(family) - i))
sure = {(name, pair) for _, _, name, pair in family[: next(false, len(family))]}
for name, (means, margin) in tables.items():
    among = sum(test[2] != name for test in family) + sum(test[2] == name for test in tests)
    tier, left = 0, {one for one in means if 0.5 ** (means[one].count() - 1) * among <= 0.05}
    while left:  # those that none of the rest is surely better than
        top = {one for one in left if not any((name, (other, one)) in sure for other in left)} or left
        tier, left, tiers = tier + 1, left - top, tiers | {f"{name}: {one}": tier + 1 for one in top}
    off = means.to_numpy()[:, None, :] - means.to_numpy()[:, :, None]
    ranks = 1 + (off > margin).sum(axis=2) + ((abs(off) <= margin).sum(axis=2) - 1) / 2
    rank = pd.DataFrame(ranks, means.index, means.columns).where(means.notna()).mean()
    scores += [(name, one, tiers.get(f"{name}: {one}"), rank[one], means[one].mean()) for one in means]
pd.DataFrame(scores, columns=["question", "method", "tier", "rank", "value"]).to_csv("scores.csv", index=False)
