"""The table of engines in the documents is that of the contract tests."""

from engine_table import ENGINES, PAGE, page_text, table
from engines.test_engines_contract import ENGINES as TESTED


def test_the_page_has_the_table_of_the_tests():
    assert PAGE.read_text(encoding="utf-8") == page_text()
    assert table() in page_text()


def test_the_contract_runs_on_all_engines_of_the_table():
    names = [name if isinstance(name, str) else name.values[0] for name in TESTED]
    assert tuple(names) == ENGINES
