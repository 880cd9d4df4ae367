"""Hours of chance: every door is fed what nobody thought of, with new seeds at every run.

    __main__.py      turns of all fuzzers, one after the other, until the time is up
    fuzzers.py       all of them
    mutations.py     bytes, and trees of keys and values, a little damaged
    readers.py       files of every format: a table or a complaint that shows no cell
    policies.py      policies: one that comes back as it was, or a complaint that names a key
    gate.py          the verdicts of the gate beside a slow count
    certificates.py  certificates: no false claim passes
    comparisons.py   grids of settings: every line is a release or a reason
    maps.py          maps of any shape: every record at its nearest unit
    whole_pipeline.py    any table, any policy, both engines: the same proven release or the same complaint

``PYTHONPATH=tests python -m soak --minutes 60``. The suite runs a few examples of each.
"""
