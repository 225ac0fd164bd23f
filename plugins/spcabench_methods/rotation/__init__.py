"""Rotations of the leading eigenvectors, which explain as much whatever the rotation: towards sparse ones."""
