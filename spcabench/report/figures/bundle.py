"""The script that draws the figures on the page: made once for a version of vl-convert, then kept for the user."""

from __future__ import annotations

import functools
import os
from contextlib import suppress
from importlib.metadata import version

from spcabench.errors import Unwritable
from spcabench.store.files import write_bytes
from spcabench.user_cache import user_cache


@functools.cache
def vega() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script, which sets ``window.vegaEmbed``.

    Notes
    -----
    To make it takes more than a second.  It is kept in the user's cache folder under the version of vl-convert, where
    that folder can be written.
    """
    file = user_cache(os.environ) / "spcabench" / "vega" / f"vl-convert-{version('vl-convert-python')}.js"
    with suppress(OSError, UnicodeDecodeError):
        return file.read_text(encoding="utf-8")
    script = _bundle()
    with suppress(Unwritable):
        write_bytes(file, script.encode())
    return script


def _bundle() -> str:
    import vl_convert

    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return bundle.replace("</script", "<\\/script")
