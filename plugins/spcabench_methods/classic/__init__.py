"""Classical methods: principal component analysis, and thresholds on its loadings."""
