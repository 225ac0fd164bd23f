"""Images: the loadings of the first components, and a few samples as the components reconstruct them."""

from __future__ import annotations

import base64
import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench.report.figures.fits import Fits, first_fits, largest
from spcabench.report.figures.style import heading, stack
from spcabench.report.figures.views import Rows, View, field
from spcabench.report.model import Results

Pixels = NDArray[np.uint8]

NEGATIVE, NEUTRAL, POSITIVE = np.array([[33, 102, 172], [247, 247, 247], [178, 24, 43]], dtype=float)

STEP = 62
"""From image to image, in units of the figure."""

COLUMNS = 8
"""Images side by side."""

OF_LOADINGS = "Red is positive, blue negative, near-white zero; each image is scaled to its largest magnitude."


def loadings(results: Results) -> View | None:
    """Draw methods as rows and components as columns; None without images."""
    panels = []
    for fits in first_fits(results):
        if shape := fits.image_shape:
            images = {
                method: [diverging(np.reshape(of, shape), largest(of)) for of in arrays["components"][:COLUMNS]]
                for method, arrays in fits.arrays.items()
            }
            panels.append(image_rows(fits, images, "component"))
    return stack(panels, "Loadings of the first seed", OF_LOADINGS)


def reconstructions(results: Results) -> View | None:
    """Draw samples as columns, and what became of them as rows; None without images of samples."""
    panels = (_samples(fits, results.folder.samples(fits.draw_id)) for fits in first_fits(results) if fits.image_shape)
    return stack(panels, f"Samples reconstructed from {results.suite.n_components} components, first seed")


def _samples(fits: Fits, samples: dict[str, NDArray[Any]] | None) -> View | None:
    if not samples or "X" not in samples:
        return None
    used = samples["X"][:COLUMNS]
    pictures = {"original": samples["X_clean"][:COLUMNS]} if "X_clean" in samples else {}
    pictures["as used"] = used
    low, high = min(map(np.min, pictures.values())), max(map(np.max, pictures.values()))
    for method, arrays in fits.arrays.items():
        pictures[method] = reconstruct(used, arrays["components"], arrays["mean"])
    shape = (-1, *(fits.image_shape or ()))
    rows = {label: [grey(image, low, high) for image in of.reshape(shape)] for label, of in pictures.items()}
    return image_rows(fits, rows, "sample")


def reconstruct(X: NDArray[Any], components: NDArray[Any], mean: NDArray[Any]) -> NDArray[Any]:
    """Return mean + W W'(x - mean) for every sample x, W being the loadings as columns.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    components : ndarray of shape (n_components, n_features)
    mean : ndarray of shape (n_features,)
    """
    return np.asarray(mean + (X - mean) @ components.T @ components)


def image_rows(fits: Fits, rows: dict[str, list[Pixels]], x_title: str) -> View:
    """Draw one row of images for each label, numbered from 1."""
    height, width = next(image.shape[:2] for images in rows.values() for image in images)
    scale = (STEP - 4) / max(height, width)
    columns = [str(number + 1) for number in range(max(map(len, rows.values())))]
    entries = Rows(
        {"row": label, "column": name, "url": url(image)}
        for label, images in rows.items()
        for name, image in zip(columns, images, strict=False)
    )
    plain = {"domain": False, "ticks": False}
    top = {"orient": "top", "title": x_title, "labelAngle": 0, **plain}
    encoding = {
        "x": field("column:N", sort=columns, axis=top),
        "y": field("row:N", sort=list(rows), axis={"title": None, "labelPadding": 8, **plain}),
        "url": "url:N",
        "tooltip": [field("row:N", title=" "), field("column:N", title=x_title)],
    }
    images = entries.mark("image", encoding, width=width * scale, height=height * scale, smooth=False)
    step = {"step": STEP}
    return images.having(width=step, height=step, title=heading(fits.groups))


def diverging(values: NDArray[Any], limit: float) -> Pixels:
    """Colour values from -limit (blue) over zero (neutral) to limit (red), shape (height, width, 3)."""
    share = np.clip(np.nan_to_num(np.asarray(values, dtype=float)) / limit, -1.0, 1.0)[..., None]
    colours = NEUTRAL + np.abs(share) * (np.where(share < 0, NEGATIVE, POSITIVE) - NEUTRAL)
    return np.asarray(np.rint(colours), dtype=np.uint8)


def grey(values: NDArray[Any], low: float, high: float) -> Pixels:
    """Colour values from low (black) to high (white), shape (height, width, 3)."""
    share = np.clip((np.nan_to_num(np.asarray(values, dtype=float)) - low) / ((high - low) or 1.0), 0.0, 1.0)
    return np.repeat(np.rint(255 * share).astype(np.uint8)[..., None], 3, axis=2)


def url(pixels: Pixels, size: int = 112) -> str:
    """Return the address of an image that holds it, enlarged with sharp edges to about that size."""
    factor = max(1, size // max(pixels.shape[:2]))
    large = np.repeat(np.repeat(pixels, factor, axis=0), factor, axis=1)
    return "data:image/png;base64," + base64.b64encode(encode(large)).decode()


def encode(pixels: Pixels) -> bytes:
    """Write a PNG file of an image of shape (height, width, 3)."""
    height, width, _ = pixels.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    lines = b"".join(b"\0" + line.tobytes() for line in np.ascontiguousarray(pixels))
    chunks = {b"IHDR": header, b"IDAT": zlib.compress(lines, 6), b"IEND": b""}
    whole = ((content, kind + content) for kind, content in chunks.items())
    parts = (struct.pack(">I", len(content)) + said + struct.pack(">I", zlib.crc32(said)) for content, said in whole)
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)
