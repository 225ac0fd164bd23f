"""Joint methods: they find all components together, under constraints that link them."""
