"""A page of the site as one HTML file with everything in it, which works offline."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from jinja2 import PackageLoader

from spcabench.report.document import Table
from spcabench.report.render.html import Cell, Grid, environment_of, grid, own
from spcabench.site.pages import Page, Places


def renderer(places: Places, title: str, made: str) -> Callable[[Page], str]:
    """Return what writes a page of the site.

    Parameters
    ----------
    places : Places
        Where the other pages are.
    title : str
        The name of the site.
    made : str
        When the site was made, and with what.
    """
    environment = environment_of(PackageLoader(__package__, "page"), PackageLoader("spcabench.report.render", "page"))
    environment.filters |= {"kind": lambda part: type(part).__name__}
    environment.globals |= {"percent": lambda share: f"{100 * share:.2f}%"}
    template = environment.get_template("site.html.jinja")
    style = own("page.css", "spcabench.report.render") + own("site.css", __package__)
    script = own("tables.js", "spcabench.report.render") + own("site.js", __package__)

    def write(page: Page) -> str:
        return template.render(
            page=page,
            places=places,
            title=title,
            made=made,
            style=style,
            script=script,
            linked=lambda part: _linked(part, page, places),
            lead=lambda method: page.root + places.of("method", method),
        )

    return write


def _linked(part: Table | Grid, page: Page, places: Places) -> Grid:
    """Show a table with its methods, data sets and runs leading to their pages."""
    shown = grid(part) if isinstance(part, Table) else part
    names = {place: field.name for place, field in enumerate(shown.fields) if places.leads(field.name)}

    def href(name: str, text: str) -> str:
        place = places.of(name, text)
        return page.root + place if place and place != page.path else ""

    def linked(cells: list[Cell]) -> list[Cell]:
        found = list(cells)
        for place, name in names.items():
            if there := href(name, cells[place].text):
                found[place] = replace(cells[place], href=there)
        return found

    return replace(shown, rows=[(method, linked(cells)) for method, cells in shown.rows]) if names else shown
