"""Penalised methods: an l1 norm, or a function close to the cardinality, is bounded or penalised."""
