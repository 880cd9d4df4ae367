"""Pages that may leave the house: of any table they are proved, and what is planted in them is found."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import given
from hypothesis import strategies as st

import shoal
from page_examples import PageCase, random_case

FORMS = ("html", "md", "json")


def rare_words(case: PageCase) -> list[str]:
    """Texts of fewer than k records; those of the dropped column, which are words of no page."""
    return [str(cell) for cell in case.table["secret_number"].to_pylist()[:3]]


def rare_numbers(case: PageCase) -> list[str]:
    """Numbers with many digits of a single record."""
    found = []
    for name in case.table.column_names:
        if pa.types.is_integer(case.table.schema.field(name).type):
            counts = pc.value_counts(case.table[name].drop_null())
            found += [str(each["values"]) for each in counts.to_pylist() if each["counts"] == 1 and each["values"] > 99]
    return found[:3]


@given(st.integers(0, 2**32 - 1), st.sampled_from(FORMS))
def fuzz(seed: int, form: str) -> None:
    case = random_case(seed)
    with TemporaryDirectory() as folder:
        page = Path(folder) / f"page.{form}"
        release = shoal.protect(case.table, case.policy, report=page, edition="external")  # proved, or an error
        if form != "md":
            return
        text = page.read_text()
        for canary in (*rare_words(case), *rare_numbers(case)):
            page.write_text(f"{text}\n{canary}\n")
            proof = shoal.check_page(page, case.table, release.table, case.policy)
            assert "value" in {fault.kind for fault in proof.faults}, "a canary was not found"
