"""Power methods: multiply by S, truncate, repeat; one component after another, with projection deflation."""
