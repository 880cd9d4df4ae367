"""The engine for records larger than memory: on disk, in pieces, sorted and counted by DuckDB.

    duckdb_engine.py  the operations
    frame.py          records on disk, and the functions to apply to them when they are read
    database.py       DuckDB: sorts and counts what does not fit into memory
    type_bridge.py    conversion of cells to types that pass through DuckDB unchanged

Pieces that are written to disk are in ``engines/spill.py``; how much memory each part may take is stated in
``engines/memory_budget.py``.
"""

from shoal.engines.duckdb.duckdb_engine import DuckdbEngine
from shoal.engines.duckdb.frame import DuckdbFrame

__all__ = ["DuckdbEngine", "DuckdbFrame"]
