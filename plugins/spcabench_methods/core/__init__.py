"""What the methods share: the estimator base, second moments, truncations, deflation."""
