"""Thresholds on the covariance: features are chosen by its diagonal, or by an eigenvector of what is left of it."""
