"""Checks of the address space limit: where it is low (ulimit -v), libraries end the process instead of raising an
error.

So the limit is checked before they are called. The amounts were measured: with less, some runs on a small table died.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from shoal.errors import EngineError
from shoal.operating_system import address_space_limit

BYTES_TO_START = 1_000 * 10**6  # NumPy, SciPy and Arrow
BYTES_OF_DATABASE = 2_500 * 10**6  # DuckDB in addition
BYTES_PER_CORE = 120 * 10**6  # threads of all these libraries, with stack and heap
BYTES_OF_CHARTS = 75 * 10**9  # V8, which renders them, reserves 64 GiB at once and uses hardly any of it


def check_start() -> None:
    _check_limit(BYTES_TO_START + _bytes_of_cores(), EngineError.no_room_to_start)


def check_database() -> None:
    _check_limit(BYTES_OF_DATABASE + _bytes_of_cores(), EngineError.no_room_for_duckdb)


def check_room_for_charts() -> None:
    _check_limit(BYTES_OF_CHARTS, EngineError.no_room_for_charts)


def has_room_for_database() -> bool:
    return BYTES_OF_DATABASE + _bytes_of_cores() <= address_space_limit()


def _check_limit(least: int, complaint: Callable[[int, int], EngineError]) -> None:
    if address_space_limit() < least:
        raise complaint(int(address_space_limit()), least)


def _bytes_of_cores() -> int:
    return BYTES_PER_CORE * (os.cpu_count() or 1)
