"""What names, labels and values of a table suggest for its policy.

    column_evidence.py   what is counted of one column
    name_patterns.py     words in names and labels, and the role they suggest
    value_patterns.py    codes and numbers that values are written in: IBAN, e-mail, ICD-10, NACE, postal codes
    known_orders.py      ordinal vocabularies: low, medium, high; 1-9, 10-49
    hierarchies.py       taxonomy rules that fit the values
    missing_codes.py     codes such as -99 that may mean "missing"
    suggestion.py        role, kind and settings of one column, with the reason
    table_roles.py       what depends on several columns: one household or unit, strata, household-level columns
    reading_options.py   blanks around cells, separators of thousands
    trial.py             what protect would refuse
    policy_text.py       the commented policy.toml
"""
