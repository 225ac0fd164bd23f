"""The loadings of the first components: as images, beside what they make of samples, or variable by variable."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench.report.figures.style import Fits, first_fits, heading, largest, stack
from spcabench.report.figures.views import Rows, View, facet, field, layer, number
from spcabench.report.model import Results

Pixels = NDArray[np.uint8]

DIVERGING = np.array([[33, 102, 172], [247, 247, 247], [178, 24, 43]])
GREY = np.array([[0, 0, 0], [255, 255, 255]])

STEP = 62
"""From image to image, in units of the figure."""

COLUMNS = 8
"""Images side by side."""

OF_LOADINGS = "Red is positive, blue negative, near-white zero; each image is scaled to its largest magnitude."


def loadings(results: Results) -> View | None:
    """Draw methods as rows and components as columns; None without images."""
    panels = []
    for fits in first_fits(results):
        if shape := fits.draw.image_shape:
            shown = {method: arrays["components"][:COLUMNS] for method, arrays in fits.arrays.items()}
            images = {method: [diverging(of.reshape(shape), largest(of)) for of in W] for method, W in shown.items()}
            panels.append(image_rows(fits, images, "component"))
    return stack(panels, "Loadings of the first seed", OF_LOADINGS)


def reconstructions(results: Results) -> View | None:
    """Draw samples as columns, and what became of them as rows; None without images of samples."""
    images = (fits for fits in first_fits(results) if fits.draw.image_shape)
    panels = (_samples(fits, results.folder.samples(fits.draw.id)) for fits in images)
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
    shape = (-1, *(fits.draw.image_shape or ()))
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
    return coloured(values, (-limit, 0.0, limit), DIVERGING)


def grey(values: NDArray[Any], low: float, high: float) -> Pixels:
    """Colour values from low (black) to high (white), shape (height, width, 3)."""
    return coloured(values, (low, high if high > low else low + 1.0), GREY)


def coloured(values: NDArray[Any], stops: tuple[float, ...], colours: NDArray[Any]) -> Pixels:
    """Colour values between stops, each of which has a colour."""
    known = np.nan_to_num(np.asarray(values, dtype=float))
    return np.stack([np.rint(np.interp(known, stops, of)).astype(np.uint8) for of in colours.T], axis=-1)


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


Array = NDArray[np.float64]

SHOWN, MOST_FEATURES = 6, 40

BLUE, RED = ("#2166ac", "#b2182b")
TRUE = "#f7ecc0"

OF_BARS = (
    "Red is positive, blue negative; the variables keep their order. The components of each method stand below those "
    "that they resemble most, with their signs: the true ones, whose variables are shaded, or else the first method's."
)

HEIGHT = 54
"""Of a panel, in units of the figure."""


def loading_bars(results: Results) -> View | None:
    """Draw methods as rows, components as columns, a bar for each variable; None with images or many variables."""
    fits = first_fits(results, every_level=True)
    few = (one for one in fits if not one.draw.image_shape and one.n_features <= MOST_FEATURES)
    return stack(map(_panel, few), "Loadings of the first seed", OF_BARS)


def _panel(fits: Fits) -> View:
    limit = max(largest(arrays["components"]) for arrays in fits.arrays.values())
    names = f"{json.dumps(fits.names)}[datum.value]"  # by their place: names need not be unique
    x = field("variable:O", title=None, axis={"labelExpr": names, "labelAngle": -90})
    axis = {"tickCount": 3, "format": "~g", "grid": False}
    y = field("loading:Q", title=None, scale={"domain": [-limit, limit], "nice": False}, axis=axis)
    sign = {"condition": {"test": "datum.loading < 0", "value": BLUE}, "value": RED}
    tooltip = ["method:N", "component:O", field("place:O", title="returned as no."), "name:N", number("loading")]
    shade = {"x": x, "y": {"datum": -limit}, "y2": {"datum": limit}}
    rows = Rows(_rows(fits))
    panel = layer(
        rows.mark("bar", shade, color=TRUE, width={"band": 1.0}).where("datum.true"),
        rows.mark("bar", {"x": x, "y": y, "color": sign, "tooltip": tooltip}),
        rows.mark("rule", {"y": {"datum": 0}}, color="#888888", strokeWidth=0.7),
        width=max(90, 11 * fits.n_features),
        height=HEIGHT,
    )
    left = {"labelAngle": 0, "labelAlign": "left"}
    parts = {
        "row": field("method:N", sort=list(fits.arrays), title=None, header=left),
        "column": field("component:O", title=None, header={"labelExpr": "'component ' + datum.value"}),
    }
    return facet(panel, facet=parts, spacing=8, title=heading(fits.groups))


def _rows(fits: Fits) -> Iterator[dict[str, Any]]:
    true, names = _true(fits), fits.names
    wanted = next(iter(fits.arrays.values()))["components"] if true is None else true
    for method, arrays in fits.arrays.items():
        for place, (component, values) in enumerate(matched(arrays["components"], wanted)):
            if component >= SHOWN:
                continue
            for variable, loading in enumerate(values):
                yield {
                    "method": method,
                    "component": component + 1,
                    "variable": variable,
                    "name": names[variable],
                    "loading": float(loading),
                    "place": place + 1,
                    "true": bool(true is not None and component < len(true) and true[component, variable]),
                }


def _true(fits: Fits) -> Array | None:
    """Return the true supports, 1 where a component lies, if the draw has them."""
    found = np.zeros((len(fits.draw.supports), fits.n_features))
    for row, support in zip(found, fits.draw.supports, strict=True):
        row[list(support)] = 1.0
    return found if len(found) else None


def matched(components: Array, wanted: Array) -> list[tuple[int, Array]]:
    """Find the one that each component resembles most, and choose the sign that agrees with it.

    Parameters
    ----------
    components : ndarray, shape (r, d)
        Loadings.
    wanted : ndarray, shape (s, d)
        The loadings or supports to be matched; those that are not matched are numbered from s on.

    Returns
    -------
    list of (int, ndarray)
        For each component in its order: the number of its like, and the loadings with the sign.

    Examples
    --------
    >>> [number for number, _ in matched(np.array([[0.0, -1.0], [1.0, 0.0]]), np.eye(2))]
    [1, 0]
    """
    from scipy.optimize import linear_sum_assignment

    alike = components @ wanted.T
    size = np.where(np.abs(wanted).sum(axis=1) > 0, np.sqrt((wanted**2).sum(axis=1)), 1.0)
    overlap = np.abs(components) @ np.abs(wanted).T / size
    rows, columns = linear_sum_assignment(overlap, maximize=True)
    like = dict(zip(rows.tolist(), columns.tolist(), strict=True))
    later = iter(range(len(wanted), len(wanted) + len(components)))
    return [
        (like[row], -values if alike[row, like[row]] < 0 else values) if row in like else (next(later), values)
        for row, values in enumerate(components)
    ]
