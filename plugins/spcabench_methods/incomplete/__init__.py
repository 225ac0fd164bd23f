"""Samples with missing values or with weights: their second moments, on which any method that takes a covariance fits.

Importing this page imports nothing heavy.
"""
