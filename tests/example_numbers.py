"""How many examples a property is tried on where the profile's own number does not fit."""

from __future__ import annotations

import os

MORE = 10  # times as many in a soak: as the profile "soak" has of other properties


def examples(n: int) -> int:
    """``n``, and many more in a soak."""
    return n * MORE if os.environ.get("SHOAL_HYPOTHESIS") == "soak" else n
