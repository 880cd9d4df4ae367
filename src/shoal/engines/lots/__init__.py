"""The engine for records that many workers share: in lots, each a table of some thousand records.

    lots_engine.py   the operations, by six primitives of a carrier
    lot_carrier.py   the primitives: what a carrier of lots can do
    processes.py     the carrier that runs processes of this machine, over files in a private folder
    spark_carrier.py the carrier that runs tasks of Spark, whose rows hold lots (spark_rows.py, spark_session.py,
                     spark_progress.py)
    openers.py       where the records of a task are, and how they are read
    stored_lots.py   how lots are stored and divided into parts
    task_outcome.py  what a worker hands back: a result or a fault
    row_hashes.py    equal rows have equal numbers, so that they meet in one part

Functions that travel to workers are pickled; a function that cannot be is an error of the code that passes it.
"""

from shoal.engines.lots.lots_engine import LotsEngine, LotsFrame

__all__ = ["LotsEngine", "LotsFrame"]
