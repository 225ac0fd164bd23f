"""Proximal gradient methods on the manifold of matrices with orthonormal columns."""
