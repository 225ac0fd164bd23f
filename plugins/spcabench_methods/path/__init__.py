"""Path methods: one run finds the loadings of all cardinalities, from dense to a single nonzero."""
