"""Alternating methods: they improve scores and loadings, or two matrices of loadings, in turn."""
