"""What a benchmark knows of the methods: a file a family, which the host alone imports."""
