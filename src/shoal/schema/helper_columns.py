"""Names of the helper columns that Shoal adds to a table during processing; columns of the data must not use them."""

RECORD_ID = "__record_id__"  # position of the record in the source; never released
GROUP = "__group__"  # group of the record; never released
PART = "__part__"  # group of the record before groups were merged, or block before it was suppressed; never released
TERRITORY = "__territory__"  # subset of records within which groups were merged; never released
GAMMA = "__gamma__"  # gamma that V-MDAV chose for the record's block; never released
BLOCK = "__block__"  # block of the record; never released
FIRST = "__first__"  # whether the record is the first of its unit; never released
COUNT = "__n__"  # number of records with a combination of values
UNIT = "__unit__"  # unit of the record
OWN_UNIT = "__own_unit__"  # unit of the record, or a number of its own
COMPOSITION = "__composition__"  # number of the composition of the record's household
AMOUNT = "__amount_of__"  # beginning of the name of a column with the amounts of a quasi-identifier before a method
N_UNITS = "__n_units__"  # number of distinct units of a class, where the units of each value are not known

HELPERS = (RECORD_ID, GROUP, PART, TERRITORY, GAMMA, BLOCK, FIRST, COUNT, UNIT, OWN_UNIT, COMPOSITION, N_UNITS)


def amount_column(name: str) -> str:
    """The helper column with the amounts of the quasi-identifier ``name`` before a method replaced them."""
    return f"{AMOUNT}{name}"


def is_helper(name: str) -> bool:
    return name in HELPERS or name.startswith(AMOUNT)
