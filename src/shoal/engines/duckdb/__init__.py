"""The engine for records larger than memory: on disk, in pieces, sorted and counted by DuckDB.

    duckdb_engine.py  the operations
    frame.py          records on disk, and the functions to apply to them when they are read
    spill.py          pieces written to disk, read back any number of times
    folder.py         the private folder that holds them
    database.py       DuckDB: sorts and counts what does not fit into memory
    type_bridge.py    conversion of cells to types that pass through DuckDB unchanged

How much memory each of them may take is stated in ``engines/memory_budget.py``.
"""

from shoal.engines.duckdb.duckdb_engine import DuckdbEngine
from shoal.engines.duckdb.frame import DuckdbFrame

__all__ = ["DuckdbEngine", "DuckdbFrame"]
