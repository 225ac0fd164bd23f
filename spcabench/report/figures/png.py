"""Arrays as small PNG images within a chart."""

from __future__ import annotations

import base64
import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]

NEGATIVE, NEUTRAL, POSITIVE = np.array([[33, 102, 172], [247, 247, 247], [178, 24, 43]], dtype=float)


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
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines, 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)


def _chunk(kind: bytes, content: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(kind + content))
    return struct.pack(">I", len(content)) + kind + content + check
