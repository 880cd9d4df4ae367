"""The parts of a draft policy beyond roles and kinds.

source_table.py      the table with types, and how it was read
reading_options.py   blanks around cells, separators of thousands, words that mean "missing"
column_settings.py   order, taxonomy, recoding and hints of one column
hierarchies.py       taxonomy rules that fit the values
missing_codes.py     codes such as -99 that may mean "missing"
stratum_column.py    the industry or region of firms, whose totals matter
scenario_rules.py    what a scenario asks of single columns
trial.py             what protect would refuse
policy_text.py       the commented policy.toml
"""
