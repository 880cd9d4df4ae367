"""Values that SPSS and Stata declare as user-missing are read as missing, and counted."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

import shoal
from shoal.sources import read

SPSS = pd.DataFrame(
    {
        "sex": [1.0, 2.0, 9.0, 1.0],
        "income": [1000.5, -1.0, -4.0, 99998.0],
        "town": ["a", "b", "XX", ""],
        "age": [-1.0, 2.0, 3.0, 4.0],
    }
)
RANGES = {"sex": [9], "income": [{"lo": -5, "hi": -1}, 99998], "town": ["XX"]}
KNOWN = {
    "sex": [1, 2, None, 1],
    "income": [1000.5, None, None, None],
    "town": ["a", "b", None, None],
    "age": [-1, 2, 3, 4],
}


def _sav(path: Path) -> Path:
    pyreadstat.write_sav(
        SPSS,
        str(path),
        missing_ranges=RANGES,
        variable_value_labels={"sex": {1: "male", 2: "female", 9: "refused"}},
        variable_measure={"sex": "nominal", "income": "scale"},
        column_labels={"sex": "Sex of the person"},
    )
    return path


def _dta(path: Path) -> Path:
    frame = pd.DataFrame({"sex": [1.0, "a"], "age": [7.0, 8.0], "income": ["b", "c"]})
    pyreadstat.write_dta(frame, str(path), missing_user_values={"sex": ["a"], "income": ["b", "c"]})
    return path


@pytest.mark.parametrize("suffix", ["sav", "zsav"])
def test_declared_values_and_ranges_of_spss_are_missing_and_counted(tmp_path: Path, suffix: str) -> None:
    loaded = read(_sav(tmp_path / f"x.{suffix}"))
    assert loaded.table.to_pydict() == KNOWN
    assert loaded.origin.notes == (
        "cells that the file declares as user-missing are read as missing: sex (1), income (3), town (1)",
    )


def test_extended_missing_values_of_stata_are_missing_and_counted(tmp_path: Path) -> None:
    loaded = read(_dta(tmp_path / "x.dta"))
    assert loaded.table.to_pydict() == {"sex": [1, None], "age": [7, 8], "income": [None, None]}
    assert loaded.origin.notes == (
        "cells that the file declares as user-missing are read as missing: sex (1), income (2)",
    )


def test_a_column_that_is_not_read_is_not_counted(tmp_path: Path) -> None:
    path = _sav(tmp_path / "x.sav")
    assert read(path, columns=["age"]).origin.notes == ()
    assert "sex (1)" in read(path, columns=["sex"]).origin.notes[0]


def test_what_the_file_states_about_its_columns_is_at_hand(tmp_path: Path) -> None:
    labels = read(_sav(tmp_path / "x.sav")).origin.labels
    assert labels is not None
    assert labels.columns == {"sex": "Sex of the person"}
    assert labels.values == {"sex": {1.0: "male", 2.0: "female", 9.0: "refused"}}
    assert labels.measures == {"sex": "nominal", "income": "scale"}
    assert labels.formats["sex"] == "F8.2"


def test_a_release_says_how_many_cells_were_user_missing(tmp_path: Path) -> None:
    rule = {"role": "other"}
    policy = {
        "columns": {"sex": {"role": "quasi_identifier"}, "income": rule, "town": rule, "age": rule},
        "requirements": [{"name": "k_anonymity", "k": 2}],
    }
    release = shoal.protect(_sav(tmp_path / "x.sav"), policy, output=tmp_path / "r.sav")
    assert any("sex (1), income (3), town (1)" in note for note in release.manifest.notes)
    _, about = pyreadstat.read_sav(str(tmp_path / "r.sav"), user_missing=True)
    assert not about.missing_ranges
