"""Arrow's compute functions, untyped: their stubs know only a part of what they take and give."""

from __future__ import annotations

from typing import Any, TypeAlias

import pyarrow.compute

pc: Any = pyarrow.compute

Column: TypeAlias = Any
"""An array or a chunked array of Arrow; its type is known when it is there."""
