"""Counts like those of words in texts: mostly zeros, a few frequent words, and topics of a few words each."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from spcabench import FLAG, Dataset, DatasetSpec, Number, Whole, hookimpl


def load(
    rng: np.random.Generator,
    n: Annotated[int, Whole(2)] = 300,
    d: Annotated[int, Whole(2)] = 500,
    topics: Annotated[int, Whole(1)] = 3,
    words: Annotated[int, Whole(1)] = 10,
    length: Annotated[float, Number(0, low_open=True)] = 50.0,
    strength: Annotated[float, Number(0)] = 2.0,
    log: Annotated[bool, FLAG] = True,
    n_test: Annotated[int, Whole()] = 0,
) -> Dataset:
    """Draw the words of each topic, then the texts; the topic that is most frequent first.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws.
    n : int
        Texts.
    d : int
        Words; their frequencies fall as 1/rank.
    topics : int
        Topics; a text may be about several, or about none.
    words : int
        Words of a topic, which no other topic has.
    length : float
        Words of a text beside those of its topics, on average.
    strength : float
        How often a word of a topic occurs, on average, in a text that is about it.
    log : bool
        Take log(1 + count).
    n_test : int
        Held-out texts.

    Raises
    ------
    ValueError
        If the words of all topics are more than there are.
    """
    if topics * words > d:
        raise ValueError(f"{topics} topics of {words} words need {topics * words} features, and d is {d}")
    rates = 1.0 / np.arange(1, d + 1)
    rates = rng.permutation(length * rates / rates.sum())
    supports = np.zeros((topics, d), dtype=bool)
    for j, chosen in enumerate(np.split(rng.permutation(d)[: topics * words], topics)):
        supports[j, chosen] = True
    shares = np.arange(topics, 0, -1.0) / (2.0 * topics)

    def draw(count: int) -> NDArray[np.float64]:
        about = rng.random((count, topics)) < shares
        counts = rng.poisson(rates + strength * (about @ supports)).astype(np.float64)
        return np.log1p(counts) if log else counts

    return Dataset(X=draw(n), X_test=draw(n_test) if n_test else None, supports=supports)


@hookimpl
def spcabench_datasets() -> list[DatasetSpec]:
    """Return the counts."""
    return [
        DatasetSpec(
            name="word_counts",
            load="spcabench_datasets.word_counts:load",
            title="counts of words in texts about a few topics",
            provides=frozenset({"samples", "test", "supports"}),
            n_features="d",
            source="Zhang and El Ghaoui 2011, NIPS 24: sparse components of word counts; the model is this package's",
            exempt={"provides": "held-out samples come with n_test"},
        )
    ]
