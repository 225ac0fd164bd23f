"""Block methods: all components are found together, without deflation, from the data rather than its eigenvectors."""
