"""Second moments S = X'X/n of centred samples, in one of three forms with the same methods.

`Gram` holds the matrix S; `Data` holds the centred samples and never forms a matrix of features by features, unless
products with them have taken as long as that; `ImplicitData` reads sparse or mapped samples where they are, and makes
them all dense only in `transposed`.  `second_moments` chooses the form.

All can be deflated: after ``deflate(w)`` they stand for P S P with P = I - w w', after ``deflate_score(w)`` for
S - S w w'S / w'Sw.  If only rounding errors are left of the variance of a feature, the feature becomes exactly zero.
"""

from __future__ import annotations

from spcabench_methods.core.moments.choice import data_of, second_moments
from spcabench_methods.core.moments.data import Data
from spcabench_methods.core.moments.form import SecondMoments
from spcabench_methods.core.moments.gram import GRAM_LIMIT, Gram
from spcabench_methods.core.moments.implicit import ImplicitData

__all__ = ["GRAM_LIMIT", "Data", "Gram", "ImplicitData", "SecondMoments", "data_of", "second_moments"]
