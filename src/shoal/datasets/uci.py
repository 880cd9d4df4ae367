"""Two sets of the UCI Machine Learning Repository: Adult, with its taxonomies, and Census-Income (KDD)."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from shoal.datasets.reference import ReferenceSet, require_file, short_digest
from shoal.errors import DatasetError

_ADULT_ORIGIN = (
    "the Adult set of the UCI Machine Learning Repository (training part, records without unknown values, "
    "nine columns separated by ';'). The example data of the ARX tool has it in this form: "
    "its data/adult.csv is adult/adult.csv here, "
    "its data/adult_hierarchy_COLUMN.csv is adult/hierarchy_COLUMN.csv."
)

ADULT = ReferenceSet(
    name="adult",
    file="adult/adult.csv",
    n_records=30_162,
    digests={
        "sex": "d3ca49ef388f",
        "age": "6d5e1fdaa1a0",
        "race": "977d2fcf3161",
        "marital-status": "e1cd87a39e40",
        "education": "9121ba04b1c1",
        "native-country": "aa93702d8c87",
        "workclass": "e9b94f0fb713",
        "occupation": "734cc4e3199d",
        "salary-class": "6770f985757e",
    },
    origin=_ADULT_ORIGIN,
    delimiter=";",
)

_ADULT_TAXONOMIES = {
    "sex": "5a9b62883f9a",
    "age": "d3e9b9674ec2",
    "race": "0874d9045f3f",
    "marital-status": "28ba6d840d1e",
    "education": "2a57086787d9",
    "native-country": "696d3b539733",
    "workclass": "5ea45c8b22ac",
    "occupation": "3743da2f6f5b",
    "salary-class": "cb6163c5dc6f",
}

# Column names as in the UCI documentation; the last, its goal field, is called income here.
CENSUS_INCOME = ReferenceSet(
    name="census_income",
    file="census-income/census-income.test.gz",
    n_records=99_762,
    digests={
        "age": "f1cfe6b0586d",
        "class of worker": "84382d2fc3e2",
        "detailed industry recode": "f40c8afbe78c",
        "detailed occupation recode": "eea5b83f1767",
        "education": "a3422688c0d0",
        "wage per hour": "6f4cc7a6d086",
        "enroll in edu inst last wk": "8bb5cc0933b2",
        "marital stat": "9aab57b75312",
        "major industry code": "c39ff0648112",
        "major occupation code": "4127703e3a14",
        "race": "6e56e902b1c3",
        "hispanic origin": "abf177c72a4f",
        "sex": "7f68e7c5d2c7",
        "member of a labor union": "5f785a6968cb",
        "reason for unemployment": "fa8331f49b61",
        "full or part time employment stat": "2b2c425fdbef",
        "capital gains": "3a0ce3528f07",
        "capital losses": "c4ef8207186f",
        "dividends from stocks": "dc9689f479f4",
        "tax filer stat": "5d1351790b7b",
        "region of previous residence": "7fd011f0723b",
        "state of previous residence": "884ed93b47cb",
        "detailed household and family stat": "9af5513fe82b",
        "detailed household summary in household": "267612cff2e6",
        "instance weight": "6fe68af51936",
        "migration code-change in msa": "50e8d52bfc31",
        "migration code-change in reg": "8da97c3c7a2b",
        "migration code-move within reg": "120de7561ad1",
        "live in this house 1 year ago": "253fe45af46e",
        "migration prev res in sunbelt": "3c153cea7eb9",
        "num persons worked for employer": "7ec4aa60184f",
        "family members under 18": "f1591b23331e",
        "country of birth father": "5f39a287d234",
        "country of birth mother": "0fba681cd354",
        "country of birth self": "ba16ec8988bf",
        "citizenship": "604c6965bf2b",
        "own business or self employed": "79b7706ca419",
        "fill inc questionnaire for veteran's admin": "c89edb5a192e",
        "veterans benefits": "1dd9f04907aa",
        "weeks worked in year": "64ccc23cbbda",
        "year": "1a48633c83bf",
        "income": "56051963c28d",
    },
    origin=(
        "the Census-Income (KDD) set of the UCI Machine Learning Repository, "
        "the file census-income.test.gz as it is, without a header."
    ),
    has_header=False,
)


def adult() -> pa.Table:
    """30,162 records of 9 columns: persons and whether they earn more than 50,000 dollars (1994)."""
    return ADULT.load()


def adult_taxonomies() -> dict[str, Path]:
    """The hierarchy file of every column of :func:`adult`; a line is ``value;parent;...;*``."""
    return {column: _taxonomy(column, published) for column, published in _ADULT_TAXONOMIES.items()}


def _taxonomy(column: str, published: str) -> Path:
    path = require_file(f"adult/hierarchy_{column}.csv", _ADULT_ORIGIN)
    lines = [line.strip() for line in path.read_bytes().splitlines()]
    if short_digest(b"\n".join(lines)) != published:
        raise DatasetError.other_taxonomy(path)
    return path


def census_income() -> pa.Table:
    """99,762 records of 42 columns, the test part; ``?`` (unknown) is kept as in the UCI file."""
    return CENSUS_INCOME.load()
