"""Robust methods: they maximise the l1 variance ``||X w||_1``, or a robust scale, not the variance of the scores."""
