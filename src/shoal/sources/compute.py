"""Arrow's compute functions, untyped: their stubs cover only a part of what they accept and return."""

from __future__ import annotations

from typing import Any, TypeAlias

import pyarrow.compute

pc: Any = pyarrow.compute

Column: TypeAlias = Any
"""An array or a chunked array of Arrow; its type is known only at run time."""
