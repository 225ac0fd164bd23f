"""Images in rows and columns."""

from __future__ import annotations

from typing import Any

import altair as alt

from spcabench.report.figures.png import Pixels, url
from spcabench.report.figures.style import data
from spcabench.report.figures.views import View, single

STEP = 62


def grid(rows: dict[str, list[Pixels]], columns: list[str], x_title: str, head: alt.TitleParams) -> View:
    """Draw one row of images for each label."""
    height, width = next(image.shape[:2] for images in rows.values() for image in images)
    scale = (STEP - 4) / max(height, width)
    entries = [
        {"row": label, "column": name, "url": url(image)}
        for label, images in rows.items()
        for name, image in zip(columns, images, strict=False)
    ]
    plain: dict[str, Any] = {"domain": False, "ticks": False}
    top = alt.Axis(orient="top", title=x_title, labelAngle=0, **plain)
    left = alt.Axis(title=None, labelPadding=8, **plain)
    return single(
        alt.Chart(data(entries))
        .mark_image(width=width * scale, height=height * scale, smooth=False)
        .encode(
            x=alt.X("column:N", sort=columns, axis=top),
            y=alt.Y("row:N", sort=list(rows), axis=left),
            url="url:N",
            tooltip=[alt.Tooltip("row:N", title=" "), alt.Tooltip("column:N", title=x_title)],
        )
        .properties(width=alt.Step(STEP), height=alt.Step(STEP), title=head)
    )
