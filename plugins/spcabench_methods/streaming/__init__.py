"""Streaming methods: they read the samples once, one after another, in memory for a few vectors."""
