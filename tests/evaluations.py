"""What a metric sees of loadings that nobody fitted."""

import numpy as np

from spcabench import Dataset, Evaluation, Fitted, Moments


def evaluation(components, *, X=None, covariance=None, mean=None, deflation="", **known):
    """Return the evaluation of loadings on samples or a covariance, and on what else is known of the data."""
    moments = Moments(X=X, covariance=covariance)
    mean = moments.mean if mean is None else np.asarray(mean, dtype=float)
    fitted = Fitted(components=np.asarray(components, dtype=float), mean=mean, deflation=deflation)
    return Evaluation(dataset=Dataset(X=X, covariance=covariance, **known), fitted=fitted, moments=moments)
