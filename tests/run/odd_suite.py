"""A small suite of methods that behave oddly, and the plugin that has them."""

from pathlib import Path

ODD = Path(__file__).parent / "odd_methods.py"

SUITE = {
    "name": "odd",
    "datasets": [{"name": "spiked", "params": {"n": 50, "d": 8, "spikes": [9.0], "support_size": 3}}],
    "methods": ["axes"],
    "n_components": 2,
    "n_nonzero": 1,
    "metrics": ["cpev", "mean_nnz"],
    "report": {"figures": ["scaling"]},
}
"""With a figure that these data do not have: to draw takes longer than all else."""
