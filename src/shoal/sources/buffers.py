"""The bytes of many texts at once, contiguous as in Arrow's buffers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa


def concatenated_bytes(texts: Any) -> pa.Buffer:
    """The concatenated texts of an array without nulls, without a copy."""
    is_large = pa.types.is_large_string(texts.type) or pa.types.is_large_binary(texts.type)
    _, offsets, data = texts.buffers()
    if not len(texts) or data is None:
        return pa.py_buffer(b"")
    ends = np.frombuffer(offsets, np.int64 if is_large else np.int32)
    start, stop = int(ends[texts.offset]), int(ends[texts.offset + len(texts)])
    content: pa.Buffer = data.slice(start, stop - start)
    return content
