"""Records larger than memory: on disk, in pieces, sorted and counted by DuckDB.

    engine.py    the verbs
    frame.py     records on disk, and what is to be done to them when they are read
    spill.py     pieces written to disk, read back as often as asked
    folder.py    the private folder where they are
    database.py  DuckDB: sorts and counts what does not fit into memory
    carried.py   how cells travel through DuckDB and come back as they were

How much memory each of them may take is said in ``engines/budget.py``.
"""

from shoal.engines.duckdb.engine import DuckdbEngine
from shoal.engines.duckdb.frame import DuckdbFrame

__all__ = ["DuckdbEngine", "DuckdbFrame"]
