"""Shared by the methods: the estimator base, second moments, truncations, deflation."""
