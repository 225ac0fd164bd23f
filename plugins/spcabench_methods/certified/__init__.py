"""Proofs of optimality: how far a sparse loading can be from the best one of its cardinality.

`weighted_rows` bounds all supports of a node at once, `node` eliminates what is fixed and fixes what the bound decides,
`search` splits what is left, `bounds` has what is proved by formula, `certify` and `several` are what a user calls.
"""
