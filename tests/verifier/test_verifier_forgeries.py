"""Files that others wrote, each beside one that differs in a single point: the verifier proves one, and not the other.

It stands alone: it knows the keys that Shoal knows, and loads nothing of what made the release.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any
from unicodedata import normalize

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tomlkit
from openpyxl import Workbook

from shoal.policy.load import json_schema
from shoal.verifier.policy import FREE, KEYS, NAMED
from shoal.verifier.proof import Proof
from shoal.verifier.refused import RefusedError
from shoal.verifier.stated import Manifest
from shoal.verifier.verify import verify

KEY, NUMBER = {"role": "quasi_identifier"}, {"role": "quasi_identifier", "kind": "numeric"}
ILLNESS, MEASURE = {"role": "sensitive"}, {"role": "sensitive", "kind": "numeric"}
K5 = {"name": "k_anonymity", "k": 5}
L3 = {"name": "distinct_l_diversity", "l": 3, "column": "illness"}
ZIP_AND_SEX = {"columns": {"zip": KEY, "sex": KEY}, "requirements": [K5]}
ZIP = {"columns": {"zip": KEY}, "requirements": [K5]}
VALUES = {"columns": {"zip": KEY, "illness": ILLNESS}, "requirements": [L3]}
AMOUNTS = {"columns": {"zip": KEY, "illness": MEASURE}, "requirements": [L3]}
AGES = {
    "columns": {"age": NUMBER | {"grid": 5}},
    "requirements": [K5],
    "method": {"name": "mondrian"},
}
OPEN_GRID = {**AGES, "columns": {"age": NUMBER}}
MEANS = {"columns": {"income": NUMBER | {"decimals": 0}}, "requirements": [K5]}
TREE = {"columns": {"zip": KEY | {"taxonomy": "tree.csv"}}, "requirements": [K5], "method": {"name": "mondrian"}}
ANATOMY = {
    "columns": {"zip": KEY, "illness": ILLNESS},
    "requirements": [{"name": "distinct_l_diversity", "l": 2, "column": "illness"}],
    "output": {"representation": "anatomy"},
}
Cells = dict[str, list[Any]]
Writer = Callable[[Path], Path]


def by_hand(text: str, name: str = "release.csv") -> Writer:
    def written(folder: Path) -> Path:
        (folder / name).write_bytes(text.encode())
        return folder / name

    return written


def csv_of(cells: Cells) -> Writer:
    """By pandas."""

    def written(folder: Path) -> Path:
        pd.DataFrame(cells).to_csv(folder / "release.csv", index=False)
        return folder / "release.csv"

    return written


def r_like(cells: Cells) -> Writer:
    """As write.csv of R: texts in quotes, a missing cell is NA without them."""
    names, records = ",".join(f'"{name}"' for name in cells), zip(*cells.values(), strict=True)
    lines = [",".join("NA" if cell is None else f'"{cell}"' for cell in record) for record in records]
    return by_hand("\r\n".join([names, *lines, ""]))


def parquet_of(columns: Mapping[str, Any], names: list[str] | None = None, **how: Any) -> Writer:
    def written(folder: Path) -> Path:
        table = pa.table(list(columns.values()), names=names or list(columns))
        pq.write_table(table, folder / "release.parquet", **how)
        return folder / "release.parquet"

    return written


def of_polars(cells: Cells) -> Writer:
    polars = pytest.importorskip("polars")

    def written(folder: Path) -> Path:
        polars.DataFrame(cells).write_parquet(folder / "release.parquet")
        return folder / "release.parquet"

    return written


def of_duckdb(query: str) -> Writer:
    def written(folder: Path) -> Path:
        duckdb.connect().execute(f"COPY ({query}) TO '{folder / 'release.parquet'}' (FORMAT parquet)")
        return folder / "release.parquet"

    return written


def excel_of(*sheets: Cells) -> Writer:
    def written(folder: Path) -> Path:
        book = Workbook()
        book.remove(book.active)
        for cells in sheets:
            sheet = book.create_sheet()
            for record in [list(cells), *zip(*cells.values(), strict=True)]:
                sheet.append(record)
        book.save(folder / "release.xlsx")
        return folder / "release.xlsx"

    return written


def spss_of(cells: Cells, **labels: Any) -> Writer:
    pyreadstat = pytest.importorskip("pyreadstat")

    def written(folder: Path) -> Path:
        pyreadstat.write_sav(pd.DataFrame(cells), str(folder / "release.sav"), **labels)
        return folder / "release.sav"

    return written


def folder_of(**parts: list[str]) -> Writer:
    """Parquet files of a folder; two underscores in a name begin a folder in it."""

    def written(folder: Path) -> Path:
        for name, cells in parts.items():
            file = folder / "release.parts" / f"{name.replace('__', '/')}.parquet"
            file.parent.mkdir(parents=True, exist_ok=True)
            pq.write_table(pa.table({"zip": cells}), file)
        return folder / "release.parts"

    return written


def packed(*parts: str) -> Writer:
    """Several streams of gzip, one behind the other."""

    def written(folder: Path) -> Path:
        (folder / "release.csv.gz").write_bytes(b"".join(gzip.compress(part.encode()) for part in parts))
        return folder / "release.csv.gz"

    return written


def anatomy_of(counts: Cells) -> Writer:
    def written(folder: Path) -> Path:
        pd.DataFrame({"zip": list("abcdef"), "group": [1, 1, 1, 2, 2, 2]}).to_csv(folder / "release.csv", index=False)
        pd.DataFrame(counts).to_csv(folder / "release.sensitive.csv", index=False)
        return folder / "release.csv"

    return written


@dataclass(frozen=True)
class Forgery:
    """``verdict``: holds, where a fault cannot be seen and is only stated; fails; or refused, as it cannot be read."""

    name: str
    verdict: str
    honest: Writer
    forged: Writer
    policy: Mapping[str, Any]
    manifest: Mapping[str, Any] | None = None  # of the forgery; that of the honest file is true
    other_policy: Mapping[str, Any] | None = None  # where the forgery is in the policy


HOUSEHOLDS = {
    "columns": {"hid": {"role": "household", "kind": "numeric"}, "zip": KEY},
    "requirements": [{"name": "k_anonymity", "k": 2}],
}
SIX = {"zip": ["1"] * 6, "sex": ["f"] * 6}
A_TREE = "1;*\n2;*\n"
TRUE = {"output": {"n_records": 6}, "counts": {"n_released": 6, "n_classes": 1}, "k_reached": 6}
INTERVALS = {"age": ["[30, 35)"] * 6}
INCOMES = {"income": [2000] * 6}
VALUES_OF = {"zip": ["1"] * 3, "illness": ["flu", "cold", "HIV"]}
COUNTS = {"group": [1, 1, 2, 2], "illness": ["flu", "HIV", "flu", "HIV"], "count": [2, 1, 1, 2]}

FORGERIES = [
    Forgery(
        "columns x and X",
        "refused",
        csv_of({"x": ["1"] * 60, "y": ["1"] * 60}),
        csv_of({"x": ["1"] * 60, "X": [str(at) for at in range(60)]}),
        {"columns": {"x": KEY, "y": KEY}, "requirements": [K5]},
        other_policy={"columns": {"x": KEY, "X": KEY}, "requirements": [K5]},
    ),
    Forgery(
        "a name in another normal form",
        "refused",
        of_polars({"zip": ["1"] * 6, "caf\u00e9": ["1"] * 6}),
        of_polars({"caf\u00e9": ["1"] * 6, normalize("NFD", "caf\u00e9"): list("123456")}),
        {"columns": {"zip": KEY, "caf\u00e9": KEY}, "requirements": [K5]},
    ),
    Forgery(
        "an empty text is no missing cell",
        "fails",
        of_polars({"zip": [None] * 6}),
        of_polars({"zip": [None, ""] * 3}),
        ZIP,
    ),
    Forgery(
        "a text NA is no missing cell",
        "fails",
        r_like({"zip": [None] * 6, "sex": ["f"] * 6}),
        r_like({"zip": [None, "NA"] * 3, "sex": ["f"] * 6}),
        {**ZIP_AND_SEX, "source": {"missing": ["NA"]}},
    ),
    Forgery("a blank behind a value", "fails", r_like(SIX), r_like({**SIX, "zip": ["1", "1 "] * 3}), ZIP_AND_SEX),
    Forgery(
        "spellings of an illness",
        "fails",
        csv_of(VALUES_OF),
        csv_of({**VALUES_OF, "illness": ["HIV", "hiv", "HIV "]}),
        VALUES,
    ),
    Forgery(
        "signs that nobody sees",
        "fails",
        of_polars(VALUES_OF),
        of_polars({**VALUES_OF, "illness": ["flu", "HIV", "H\u200bIV"]}),
        VALUES,
    ),
    Forgery(
        "one number in three notations",
        "fails",
        by_hand("zip,illness\n1,1\n1,2\n1,3\n"),
        by_hand("zip,illness\n1,1\n1,1.0\n1,01\n"),
        AMOUNTS,
    ),
    Forgery("a manifest with another k", "fails", csv_of(SIX), csv_of(SIX), ZIP_AND_SEX, {**TRUE, "k_reached": 7}),
    Forgery(
        "a manifest with other counts",
        "fails",
        csv_of(SIX),
        csv_of(SIX),
        ZIP_AND_SEX,
        {**TRUE, "counts": {"n_released": 60}},
    ),
    Forgery(
        "a manifest with more decimals",
        "fails",
        csv_of(INCOMES),
        csv_of({"income": [2000.123] * 6}),
        MEANS,
        {**TRUE, "decimals": {"income": 3}},
    ),
    Forgery(
        "a manifest with finer steps",
        "fails",
        csv_of(INCOMES),
        csv_of({"income": [2001] * 6}),
        MEANS,
        {**TRUE, "steps": {"income": {"step": "10", "offset": "0"}}},
    ),
    Forgery(
        "a manifest with another grid",
        "fails",
        csv_of(INTERVALS),
        csv_of(INTERVALS),
        AGES,
        {**TRUE, "grids": {"age": {"step": 1}}},
    ),
    Forgery(
        "a grid of 1, which only the manifest says",
        "holds",
        csv_of(INTERVALS),
        csv_of({"age": ["[31, 32)"] * 6}),
        OPEN_GRID,
        {**TRUE, "grids": {"age": {"step": 1}}},
    ),
    Forgery(
        "a record is removed",
        "fails",
        csv_of(SIX),
        csv_of({name: cells[1:] for name, cells in SIX.items()}),
        ZIP_AND_SEX,
        TRUE,
    ),
    Forgery(
        "a record is repeated until there are enough",
        "fails",
        csv_of(SIX),
        csv_of({"zip": ["1"] * 6 + ["2"] * 5, "sex": ["f"] * 11}),
        ZIP_AND_SEX,
        {**TRUE, "output": {"n_records": 7}},
    ),
    Forgery("a byte order mark", "refused", by_hand("zip\n" + "1\n" * 6), by_hand("\ufeffzip\n" + "1\n" * 6), ZIP),
    Forgery("a column twice", "refused", csv_of(SIX), by_hand("zip,sex,sex\n" + "1,f,f\n" * 6), ZIP_AND_SEX),
    Forgery(
        "a column twice in Parquet",
        "refused",
        parquet_of(SIX),
        parquet_of({"a": ["1"] * 6, "b": ["f"] * 6, "c": list("123456")}, ["zip", "sex", "sex"]),
        ZIP_AND_SEX,
    ),
    Forgery("one more column", "fails", csv_of(SIX), csv_of({**SIX, "name": list("abcdef")}), ZIP_AND_SEX),
    Forgery("a column that the file lacks", "fails", csv_of(SIX), csv_of({"zip": ["1"] * 6}), ZIP_AND_SEX),
    Forgery(
        "a zero below zero",
        "fails",
        parquet_of({"zip": pa.array([0.0] * 6)}),
        parquet_of({"zip": pa.array([0.0, -0.0] * 3)}),
        {"columns": {"zip": KEY}, "requirements": [K5]},
    ),
    Forgery(
        "no number is no missing cell",
        "fails",
        parquet_of({"zip": pa.array([None] * 6, pa.float64())}),
        parquet_of({"zip": pa.array([None, float("nan")] * 3, pa.float64())}),
        ZIP,
    ),
    Forgery(
        "a dictionary of values",
        "fails",
        parquet_of({"zip": pa.array(["1"] * 6 + ["2"] * 5).dictionary_encode()}),
        parquet_of({"zip": pa.array(["1"] * 6 + ["2"] * 4).dictionary_encode()}),
        ZIP,
    ),
    Forgery(
        "decimals of more digits than are read",
        "refused",
        parquet_of({"zip": pa.array([Decimal(1)] * 6, pa.decimal128(38, 30))}),
        parquet_of({"zip": pa.array([Decimal(1), Decimal(1) + Decimal(10) ** -28] * 3, pa.decimal256(60, 28))}),
        ZIP,
    ),
    Forgery(
        "times of more digits than are read",
        "refused",
        parquet_of({"zip": pa.array([1] * 6, pa.timestamp("ns"))}),
        parquet_of({"zip": pa.array([1, 2] * 3, pa.timestamp("ns"))}, use_deprecated_int96_timestamps=True),
        ZIP,
    ),
    Forgery(
        "a list in a column that is counted",
        "refused",
        parquet_of({"zip": ["1"] * 6}),
        parquet_of({"zip": [["1"]] * 6}),
        ZIP,
    ),
    Forgery(
        "a key that nobody knows",
        "refused",
        csv_of(SIX),
        csv_of(SIX),
        ZIP_AND_SEX,
        other_policy={**ZIP_AND_SEX, "waive": True},
    ),
    Forgery(
        "a key that nobody knows inside a table",
        "refused",
        csv_of(SIX),
        csv_of(SIX),
        ZIP_AND_SEX,
        other_policy={**ZIP_AND_SEX, "requirements": [{**K5, "unless": "sex"}]},
    ),
    Forgery(
        "classes of another column",
        "refused",
        csv_of({**SIX, "year": ["2020"] * 6}),
        csv_of({**SIX, "year": ["2020"] * 6}),
        {**ZIP_AND_SEX, "columns": {"zip": KEY, "sex": KEY, "year": {"role": "other"}}},
        other_policy={
            "columns": {"zip": KEY, "sex": KEY, "year": {"role": "other"}},
            "requirements": [K5, {**K5, "columns": ["year"]}],
        },
    ),
    Forgery(
        "a requirement that nobody knows",
        "refused",
        csv_of(SIX),
        csv_of(SIX),
        ZIP_AND_SEX,
        other_policy={**ZIP_AND_SEX, "requirements": [{"name": "k_anonimity", "k": 5}]},
    ),
    Forgery("an interval closed by a value", "fails", csv_of(INTERVALS), csv_of({"age": ["[30, 35]"] * 6}), AGES),
    Forgery(
        "intervals in two notations", "fails", csv_of(INTERVALS), csv_of({"age": ["[30, 35)", "[30,35)"] * 3}), AGES
    ),
    Forgery("an end that is a value", "fails", csv_of(INTERVALS), csv_of({"age": ["[31, 35)"] * 6}), AGES),
    Forgery("a value instead of an interval", "fails", csv_of(INTERVALS), csv_of({"age": [31] * 6}), AGES),
    Forgery("a sheet behind the first", "refused", excel_of(SIX), excel_of(SIX, {"name": ["a"]}), ZIP_AND_SEX),
    Forgery(
        "a class of four in Excel", "fails", excel_of(SIX), excel_of({**SIX, "sex": ["f"] * 4 + ["m"] * 2}), ZIP_AND_SEX
    ),
    Forgery(
        "a class of four by DuckDB",
        "fails",
        of_duckdb("SELECT (i % 4)::INTEGER AS zip FROM range(20) t(i)"),
        of_duckdb("SELECT (i % 4)::INTEGER AS zip FROM range(19) t(i)"),
        ZIP,
    ),
    Forgery(
        "means of the only column, some of them missing",
        "fails",
        by_hand("income\n" + '""\n' * 6),
        by_hand("income\n" + '""\n' * 6 + "2000.5\n" * 5),
        MEANS,
    ),
    Forgery(
        "formulas instead of cells",
        "refused",
        excel_of(SIX),
        excel_of({**SIX, "zip": ['="A"&ROW()'] * 6}),
        ZIP_AND_SEX,
    ),
    Forgery(
        "values that SPSS calls missing",
        "fails",
        spss_of({"zip": [None] * 6}),
        spss_of({"zip": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]}, missing_ranges={"zip": [{"lo": 1, "hi": 6}]}),
        ZIP,
    ),
    Forgery("a folder in the folder", "refused", folder_of(a=["1"] * 6), folder_of(a=["1"] * 6, b__c=["2"]), ZIP),
    Forgery("a part that nobody reads", "fails", folder_of(a=["1"] * 6), folder_of(a=["1"], _b=["1"] * 5), ZIP),
    Forgery(
        "empty lines",
        "refused",
        by_hand("zip\n" + '""\n' * 6),
        by_hand('zip\n""\n' + "\n" * 5),
        ZIP,
    ),
    Forgery(
        "one household in two notations",
        "fails",
        by_hand("hid,zip\n1,a\n2,a\n"),
        by_hand("hid,zip\n1,a\n1.0,a\n"),
        HOUSEHOLDS,
    ),
    Forgery("a cell too many", "refused", csv_of(SIX), by_hand("zip,sex\n" + "1,f\n" * 5 + "1,f,Smith\n"), ZIP_AND_SEX),
    Forgery(
        "a quote that stays open", "refused", csv_of(SIX), by_hand("zip,sex\n" + "1,f\n" * 5 + '1,"f\n'), ZIP_AND_SEX
    ),
    Forgery("a second stream", "fails", packed("zip\n" + "1\n" * 5, "1\n"), packed("zip\n" + "1\n" * 5, "2\n"), ZIP),
    Forgery(
        "a count that is no number",
        "fails",
        anatomy_of(COUNTS),
        anatomy_of({**COUNTS, "count": [2.5, 0.5, 1, 2]}),
        ANATOMY,
    ),
    Forgery(
        "a group of one illness",
        "fails",
        anatomy_of(COUNTS),
        anatomy_of({"group": [1, 2, 2], "illness": ["flu", "flu", "HIV"], "count": [3, 1, 2]}),
        ANATOMY,
    ),
    Forgery(
        "an illness in two rows",
        "fails",
        anatomy_of(COUNTS),
        anatomy_of({"group": [1, 1, 2, 2], "illness": ["flu", "flu", "flu", "HIV"], "count": [2, 1, 1, 2]}),
        ANATOMY,
    ),
]


def verdict_of(policy: Mapping[str, Any], file: Path, manifest: Mapping[str, Any] | None) -> tuple[str, Proof | None]:
    said = None if manifest is None else Manifest("manifest.json", {"output": {}, **manifest})
    try:
        proof = verify(tomlkit.dumps(dict(policy)), file, folder=file.parent, manifest=said)
    except RefusedError:
        return "refused", None
    return "holds" if proof.holds else "fails", proof


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.name)
def test_the_honest_file_is_proved_and_the_forged_one_is_not(forgery: Forgery, tmp_path: Path) -> None:
    for name in ("honest", "forged"):
        (tmp_path / name).mkdir()
    is_counted = forgery.manifest is not None and "k_reached" in forgery.manifest
    honest, _ = verdict_of(forgery.policy, forgery.honest(tmp_path / "honest"), TRUE if is_counted else None)
    forged, proof = verdict_of(
        forgery.other_policy or forgery.policy, forgery.forged(tmp_path / "forged"), forgery.manifest
    )
    assert (honest, forged) == ("holds", forgery.verdict)
    if forged == "holds":
        assert "grid" in "".join(proof.stated if proof else ())


@pytest.mark.parametrize("lines", ["1;a;*\n2;a;*\n", "1;a;*\n1;b;*\n", "1;a;x;*\n2;a;y;*\n", "1;*\n2;a;*\n"])
def test_a_taxonomy_is_a_tree(lines: str, tmp_path: Path) -> None:
    (tmp_path / "tree.csv").write_text(lines)
    verdict, _ = verdict_of(TREE, csv_of({"zip": ["a"] * 6})(tmp_path), None)
    assert verdict == ("holds" if lines == "1;a;*\n2;a;*\n" else "refused")


def test_nothing_of_shoal_is_loaded(tmp_path: Path) -> None:
    release = csv_of(SIX)(tmp_path)
    (tmp_path / "policy.toml").write_text(tomlkit.dumps(ZIP_AND_SEX))
    (tmp_path / "manifest.json").write_text(json.dumps({"output": {"path": release.name}, **TRUE}))
    script = (
        "import runpy, sys, json\n"
        "sys.argv = ['verifier', *sys.argv[1:]]\n"
        "try: runpy.run_module('shoal.verifier', run_name='__main__')\n"
        "except SystemExit as end: print(json.dumps([end.code, sorted(sys.modules)]))\n"
    )
    run = [sys.executable, "-c", script, str(tmp_path / "policy.toml"), str(release)]
    said = subprocess.run(run, capture_output=True, text=True, check=True).stdout.splitlines()
    code, loaded = json.loads(said[-1])
    assert code == 0
    assert not {"numpy", "pyarrow", "pydantic", "pandas", "tomlkit"} & set(loaded)
    own = {name for name in loaded if name.split(".")[0] == "shoal"}
    assert {name for name in own if not name.startswith("shoal.verifier")} == {"shoal"}


def test_the_keys_are_those_of_a_policy() -> None:
    schema = json_schema()
    keys: dict[str, set[str]] = {}
    named: dict[str, dict[str, set[str]]] = {}

    def walk(node: Mapping[str, Any], at: str) -> None:
        if "$ref" in node:
            node = schema["$defs"][node["$ref"].rsplit("/", 1)[-1]]
        for name, reference in node.get("discriminator", {}).get("mapping", {}).items():
            inside = schema["$defs"][reference.rsplit("/", 1)[-1]]["properties"]
            named.setdefault(at, {})[name] = set(inside)
            for key, each in inside.items():
                walk(each, f"{at}.{key}")
        if "discriminator" in node:
            return
        for choice in (*node.get("anyOf", ()), *node.get("oneOf", ()), *([node["items"]] if "items" in node else [])):
            walk(choice, at)
        if "properties" in node:
            keys.setdefault(at, set()).update(node["properties"])
            for key, each in node["properties"].items():
                walk(each, f"{at}.{key}".lstrip("."))
        elif node.get("additionalProperties"):
            if at == "columns":
                walk(node["additionalProperties"], "columns.*")
            else:
                keys[at] = {"*"}

    walk(schema, "")
    assert keys == {at: set(known.split()) for at, known in KEYS.items()} | {at: {"*"} for at in FREE}
    assert named == {at: {name: set(known.split()) for name, known in by.items()} for at, by in NAMED.items()}
