"""Columns that Shoal puts beside those of a table while it works: nobody else's may bear their names."""

RECORD_ID = "__record_id__"  # position of the record in the source; never released
GROUP = "__group__"  # group of the record; never released
PART = "__part__"  # group of the record before groups were merged; never released
TERRITORY = "__territory__"  # inside of which its groups were merged; never released
BLOCK = "__block__"  # block of the record; never released
FIRST = "__first__"  # whether the record is the first of its unit; never released
COUNT = "__n__"  # how many records have a combination
UNIT = "__unit__"  # unit of the record
COMPOSITION = "__composition__"  # what the household of the record is composed of
N_UNITS = "__n_units__"  # of a class: its different units, where those of its values are not known

HELPERS = (RECORD_ID, GROUP, PART, TERRITORY, BLOCK, FIRST, COUNT, UNIT, COMPOSITION, N_UNITS)
