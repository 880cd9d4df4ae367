"""Writes pages of releases of the demo census, Adult, Census and a hospital extract, in both editions.

    SHOAL_DATA=... python tools/example_pages.py --folder pages
    python tools/page_views.py --folder views pages/*.html

The external ones are proved against the original before they appear (`shoal.check_page`).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pyarrow as pa
import tomlkit

import shoal
from shoal import datasets

HOSPITAL = {
    "requirements": [{"name": "k_anonymity", "k": 5}],
    "method": {"name": "none"},
    "local_suppression": {},
    "columns": {
        "patient_id": {"role": "identifier"},
        "birth_date": {"role": "quasi_identifier", "kind": "date", "recode": {"date_part": "year"}},
        "sex": {"role": "quasi_identifier"},
        "postal_code": {"role": "quasi_identifier", "recode": {"prefix": 2}},
        "admission_date": {"role": "other", "kind": "date", "recode": {"date_part": "quarter"}},
        "icd10": {"role": "sensitive", "recode": {"prefix": 3}},
        "length_of_stay": {"role": "other", "kind": "numeric", "recode": {"top": 30}},
        "ward": {"role": "other"},
        "discharge": {"role": "other"},
    },
}
ADULT = ("age", "workclass", "education", "marital-status", "race", "sex", "native-country")


def demo(folder: Path) -> tuple[pa.Table, Any]:
    datasets.census_taxonomies(folder)
    text = files("shoal.cli").joinpath("demo_policy.toml").read_text(encoding="utf-8")
    policy = tomlkit.parse(text.replace("ORDER", str(list(datasets.CENSUS_EDUCATION_ORDER)))).unwrap()
    policy["columns"]["region"]["taxonomy"] = str(folder / "hierarchy_region.csv")
    return datasets.synthetic_census(20_000, seed=0), policy


def adult(folder: Path) -> tuple[pa.Table, Any]:
    table = datasets.adult()
    kinds = {name: "numeric" if pa.types.is_integer(table.schema.field(name).type) else "nominal" for name in ADULT}
    rules = {name: {"role": "quasi_identifier", "kind": kind} for name, kind in kinds.items()}
    others = {name: {"role": "other"} for name in table.column_names if name not in ADULT}
    others["occupation"] = {"role": "sensitive"}
    asked = [{"name": "k_anonymity", "k": 10}, {"name": "distinct_l_diversity", "l": 2, "column": "occupation"}]
    policy = {"requirements": asked, "method": {"name": "mondrian"}, "output": {"representation": "extents"}}
    return table, {**policy, "columns": {**rules, **others}}


def census(folder: Path) -> tuple[pa.Table, Any]:
    table = datasets.census()
    rules = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in table.column_names}
    return table, {"requirements": [{"name": "k_anonymity", "k": 3}], "method": {"name": "mdav"}, "columns": rules}


def hospital(folder: Path) -> tuple[pa.Table, Any]:
    return datasets.hospital_stays(10_000, seed=1), HOSPITAL


TABLES: dict[str, Callable[[Path], tuple[pa.Table, Any]]] = {
    "demo": demo,
    "adult": adult,
    "census": census,
    "hospital": hospital,
}


def write_pages(name: str, folder: Path, forms: tuple[str, ...] = ("html", "md", "json")) -> None:
    """The pages of a table; the second and later ones repeat the release, so that each is written as a user would."""
    table, policy = TABLES[name](folder)
    for edition in ("internal", "external"):
        for form in forms:
            page = folder / f"{name}-{edition}.{form}"
            shoal.protect(table, policy, report=page, force=True, edition=edition)
            print(f"{page.name}: {page.stat().st_size:,} bytes", flush=True)  # noqa: T201


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--folder", type=Path, default=Path("pages"))
    asked.add_argument("--table", choices=TABLES, action="append", help="only this one; may be given again")
    asked.add_argument("--form", choices=("html", "md", "json"), action="append", help="only this one")
    given = asked.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for name in given.table or TABLES:
        write_pages(name, given.folder, tuple(given.form or ("html", "md", "json")))


if __name__ == "__main__":
    main()
