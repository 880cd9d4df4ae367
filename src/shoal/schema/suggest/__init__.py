"""Suggested roles and kinds of the columns of a table, from their names, labels and values.

name_patterns.py     words in names and labels, and the role they suggest
column_evidence.py   what is counted of one column
value_patterns.py    how values are written: IBAN, e-mail, ICD-10, NACE, postal codes
value_questions.py   what is odd about them: dates of several forms, lost zeros
known_orders.py      ordinal vocabularies: low, medium, high; 1-9, 10-49
suggestion.py        role and kind of one column, with the reason
single_roles.py      roles that depend on other columns
"""

from __future__ import annotations

import pyarrow as pa

from shoal.schema.suggest.column_evidence import ColumnEvidence
from shoal.schema.suggest.single_roles import with_single_roles
from shoal.schema.suggest.suggestion import Suggestion, suggestion

__all__ = ["ColumnEvidence", "Suggestion", "suggest", "suggestion", "with_single_roles"]


def suggest(table: pa.Table) -> list[Suggestion]:
    """One suggestion per column of a typed table."""
    evidence = {name: ColumnEvidence(name, table[name]) for name in table.column_names}
    return with_single_roles([suggestion(each) for each in evidence.values()], evidence)
