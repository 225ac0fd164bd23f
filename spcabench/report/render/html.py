"""A document as one HTML file with everything in it, which works offline; and what other pages share with it."""

from __future__ import annotations

import functools
import math
import os
from contextlib import suppress
from importlib import resources
from importlib.metadata import version

from jinja2 import BaseLoader, ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from spcabench.process import user_cache
from spcabench.report.document import Document, Entry
from spcabench.report.figures import Figure
from spcabench.report.figures.views import page_spec, subtitle
from spcabench.report.render.text import entry_text, first_columns, split
from spcabench.store.files import write_bytes
from spcabench.store.frame import Level
from spcabench.wording import Unwritable


def html_page(document: Document) -> str:
    """Write the page: it needs nothing from elsewhere; what plugins and data named is text in it, never markup."""
    environment = environment_of(PackageLoader(__package__, "page"))
    return environment.get_template("page.html.jinja").render(
        document=document,
        names=document.names,
        sections=document.sections,
        style=own("page.css"),
        script=own("tables.js") + own("page.js"),
        vega=Markup(vega()) if document.figures else "",
    )


def environment_of(*loaders: BaseLoader) -> Environment:
    """Return the templates of pages: what they are given is text, unless it is marked as markup.

    A page may extend ``base.html.jinja``, and give it ``root``, the way to the root of the pages, and ``linked``, which
    returns a table whose entries lead to other pages, in place of the defaults.
    """
    environment = Environment(
        loader=ChoiceLoader(loaders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"kind": lambda block: type(block).__name__, "spec": lambda figure: page_spec(figure.chart)}
    environment.filters |= {"caption": _caption, "parted": split, "text": entry_text, "number": sort_number}
    environment.filters["first_columns"] = first_columns
    environment.globals |= {"root": "", "linked": lambda table: table, "names": {}}
    return environment


def own(name: str, package: str = __package__) -> Markup:
    """Return a file of a package of pages, which is ours and so needs no escaping."""
    return Markup(resources.files(package).joinpath("page", name).read_text(encoding="utf-8"))


@functools.cache
def vega() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script, which sets ``window.vegaEmbed``.

    Notes
    -----
    To make it takes more than a second.  It is kept in the user's cache folder under the version of vl-convert, and
    not kept where that folder cannot be written.
    """
    file = user_cache(os.environ) / "spcabench" / "vega" / f"vl-convert-{version('vl-convert-python')}.js"
    with suppress(OSError, UnicodeDecodeError):
        return file.read_text(encoding="utf-8")
    import vl_convert

    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    script = bundle.replace("</script", "<\\/script")
    with suppress(Unwritable):
        write_bytes(file, script.encode())
    return script


def _caption(figure: Figure) -> str:
    says = f"{figure.caption[:1].upper()}{figure.caption[1:]}." if figure.caption else ""
    return " ".join(filter(None, (says, subtitle(figure.chart))))


def sort_number(entry: Entry) -> float | None:
    """Return the number that an entry is sorted by; None if it is none, or infinite."""
    value = entry.value.target if isinstance(entry.value, Level) else entry.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if math.isfinite(value) else None
