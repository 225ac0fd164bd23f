"""Proofs of optimality: how far a sparse loading can be from the best one of its cardinality.

`weighted_rows` bounds all supports of a node at once, `node` eliminates what is fixed and fixes what the bound decides,
`search` splits what is left, `incumbent` finds the support that it starts from, `certify` is what a user calls, and
`gaps` has the metrics that judge a fit by it.
"""
