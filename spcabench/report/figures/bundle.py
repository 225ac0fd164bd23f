"""The script that draws the figures on the page: made once for a version of vl-convert, then kept for the user."""

from __future__ import annotations

import functools
import os
from contextlib import suppress
from importlib.metadata import version

from spcabench.process import user_cache
from spcabench.store.files import write_bytes
from spcabench.store.inside import Damaged
from spcabench.store.sealed import sealed_yaml, unsealed_yaml
from spcabench.wording import Unwritable


@functools.cache
def vega() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script, which sets ``window.vegaEmbed``.

    Notes
    -----
    To make it takes more than a second.  It is kept in the user's cache folder under the version of vl-convert, with a
    checksum; it is made again if that does not fit, and not kept where that folder cannot be written.
    """
    file = user_cache(os.environ) / "spcabench" / "vega" / f"vl-convert-{version('vl-convert-python')}.js.sealed"
    with suppress(OSError, Damaged, UnicodeDecodeError):
        return unsealed_yaml(file.read_bytes()).decode()
    script = _bundle()
    with suppress(Unwritable):
        write_bytes(file, sealed_yaml(script.encode()))
    return script


def _bundle() -> str:
    import vl_convert

    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return bundle.replace("</script", "<\\/script")
