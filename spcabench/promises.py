"""What a method, a data set and a metric promise, each by a name: `spcabench check` holds a plugin to these.

A specification lists those that it cannot keep in ``exempt``, each with the reason.  Nothing heavy is imported here.
"""

from __future__ import annotations

from collections.abc import Mapping

METHOD: Mapping[str, str] = {
    "resolves": "Its class can be imported, and has a method fit.",
    "constructor": "Its constructor takes what the specification declares, with the same defaults.",
    "shape": "After fit, components_ has a row for each component and a column for each feature.",
    "finite": "The loadings are finite.",
    "unit_rows": "Each row of components_ has length 1, or is zero.",
    "deterministic": "The same seed leads to the same loadings, to the last bit.",
    "samples_untouched": "It does not write to the samples, and takes samples that cannot be written to.",
    "global_state": "It leaves the global random generators alone.",
    "pickle": "A fitted estimator can be pickled and keeps its loadings.",
    "sign": "The loadings of -X are those of X.",
    "column_sign": "Where features change their signs, the loadings do, and nothing else.",
    "shift": "The loadings do not depend on the mean of the samples.",
    "row_order": "The loadings do not depend on the order of the samples.",
    "column_order": "The loadings do not depend on the order of the features.",
    "scale": "The loadings do not depend on the unit of the samples.",
    "knob": "The more nonzeros are asked for, or the less is penalised, the more there are, from one to all.",
    "dense_limit": "Where nothing is truncated, the components explain as much variance as those of PCA.",
    "planted_support": "It finds the features of one strong sparse direction.",
    "bad_input": "It refuses samples that are not finite, and what is no matrix.",
    "covariance": "Unless it requires samples, it takes a covariance and finds the same loadings.",
    "starts": "Its start can be chosen by the words ones, pca and max_variance.",
}
"""The promises of a method."""

DATASET: Mapping[str, str] = {
    "resolves": "Its loader can be imported.",
    "parameters": "Its loader takes the declared parameters, and each default is a valid value.",
    "draw": "It returns a Dataset with finite samples or a finite covariance, or says that the data is unavailable.",
    "deterministic": "The same seed leads to the same data, to the last bit.",
    "seed": "Another seed leads to other data, unless the specification says that nothing is random.",
    "global_state": "It neither uses the global random generators nor changes their state.",
    "facts": "It comes with no fact that the specification does not name.",
    "provides": "With its default parameters it comes with each fact that the specification names.",
    "n_features": "It has as many features as the specification says.",
    "agreement": "Labels, supports, clean and held-out samples, names and image shape fit the samples.",
    "covariance": "A covariance is symmetric and has no negative eigenvalue.",
}
"""The promises of a data set."""

METRIC: Mapping[str, str] = {
    "resolves": "Its function can be imported.",
    "parameters": "Its function takes the declared parameters, and each default is a valid value.",
    "number": "It returns a number, or a mapping to numbers.",
    "range": "Its values are in the declared range, or nan.",
    "deterministic": "The same loadings have the same value.",
    "inputs_untouched": "It writes neither to the data nor to the loadings.",
    "global_state": "It leaves the global random generators alone.",
    "sign": "Its values do not depend on the signs of the components.",
    "zero_components": "It takes components that are zero.",
    "requires": "It needs no fact that it does not require.",
    "refitted": "Its values do not depend on the sizes of the loadings, unless the specification says so.",
}
"""The promises of a metric."""
