"""What a benchmark knows of the methods: a file for some families, which the host alone imports."""
