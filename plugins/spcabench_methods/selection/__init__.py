"""Choose how many components and how many nonzeros from the data: `SparsePCASelector`, and a file for each rule.

The rules are those of the literature, each in the form in which it did best on planted data; README.md in this folder
has the numbers, and why ``GridSearchCV`` on ``score`` does not choose.  Importing this page imports nothing heavy.
"""

from __future__ import annotations

from collections.abc import Mapping

from spcabench import NOTHING, Anything, Either, ListOf, OneOf, Parameter, Whole
from spcabench_methods.core.declared_random import random_state

CRITERIA = ("vote", "ebic", "held_out", "weighed", "stability", "index")

SELECTOR_PARAMETERS: Mapping[str, Parameter] = {
    "estimator": Parameter(None, Anything(), "what is fitted; null: TPower from decreasing cardinalities"),
    "n_components": Parameter("auto", Either(OneOf("auto"), Whole(1)), "how many components; auto: by permutations"),
    "n_nonzero": Parameter(None, Either(NOTHING, ListOf(Whole(1))), "the cardinalities to choose from; null: 1 to 40"),
    "criterion": Parameter("vote", OneOf(*CRITERIA), "what chooses the cardinality of a component"),
    "cv": Parameter(10, Whole(2), "folds of the held-out variance"),
    "n_resamples": Parameter(20, Whole(2), "half-samples of weighed and stability"),
    "n_permutations": Parameter(19, Whole(1), "permutations of each column, to count the components"),
    "max_components": Parameter(10, Whole(1), "the most components of auto"),
    "random_state": random_state("for folds, half-samples and permutations"),
}
