"""Counterpart of a requirement among the compiled tests of a search: which test it is, and its parameters."""

from __future__ import annotations

from dataclasses import dataclass

from shoal import kernels


@dataclass(frozen=True)
class NativeTest:
    kind: kernels.TestKind
    asked: float  # the limit that the kernel compares with
    since: float = 0.0  # second parameter of the test
    sigma: float = 0.0  # third parameter
    least_records: int = 1  # minimum size of a block that can satisfy the requirement
