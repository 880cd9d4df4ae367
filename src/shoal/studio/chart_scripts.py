"""The scripts of Vega, Vega-Lite and Vega-Embed, which draw charts in the browser. They come with vl-convert, so that
no network is needed."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.metadata import version

import vl_convert

SNIPPET = "window.vega = vega; window.vegaLite = vegaLite; window.vegaEmbed = vegaEmbed;"


@cache
def chart_scripts() -> bytes:
    """One script, which defines ``vega``, ``vegaLite`` and ``vegaEmbed``."""
    bundle: str = vl_convert.javascript_bundle(SNIPPET)
    return bundle.encode()


@cache
def chart_scripts_address() -> str:
    """The address of this version of the script, which a browser may keep. No need to make the script for it."""
    digest = sha256(f"{version('vl-convert-python')} {SNIPPET}".encode()).hexdigest()[:12]
    return f"/static/vega.js?v={digest}"
