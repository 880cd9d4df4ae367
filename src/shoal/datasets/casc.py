"""The three CASC reference data sets, the standard benchmarks of microaggregation.

Brand, Domingo-Ferrer & Mateo-Sanz (2002), "Reference data sets to test and compare SDC methods for protection
of numerical microdata".
"""

from __future__ import annotations

import pyarrow as pa

from shoal.datasets.reference import ReferenceSet


def _origin(data_set: str, file: str) -> str:
    return (
        f"the CASC project's reference sets, distributed with the R package sdcMicro; in R: "
        f'data("{data_set}", package = "sdcMicro"); write.csv({data_set}, "{file}", row.names = FALSE).'
    )


CENSUS = ReferenceSet(
    name="census",
    file="casc/census.csv",
    n_records=1080,
    digests={
        "AFNLWGT": "e3837965592a",
        "AGI": "902483f9828a",
        "EMCONTRB": "df0c0756aae8",
        "FEDTAX": "2f2f1b025360",
        "PTOTVAL": "afbdd83075e1",
        "STATETAX": "9865ae04a13e",
        "TAXINC": "fb1a5f30c4d4",
        "POTHVAL": "5b7b86b43871",
        "INTVAL": "c39c1a1b9c98",
        "PEARNVAL": "c0c66361d9c5",
        "FICA": "db95d2db24cc",
        "WSALVAL": "c1e7b5054c2b",
        "ERNVAL": "5affb8ccf666",
    },
    origin=_origin("CASCrefmicrodata", "census.csv"),
)

TARRAGONA = ReferenceSet(
    name="tarragona",
    file="casc/tarragona.csv",
    n_records=834,
    digests={
        "FIXED.ASSETS": "62ee75bf4fe9",
        "CURRENT.ASSETS": "7ee3abee1efd",
        "TREASURY": "8e8e3bd598ec",
        "UNCOMMITTED.FUNDS": "293c8fce4ae4",
        "PAID.UP.CAPITAL": "e3c5fce290bb",
        "SHORT.TERM.DEBT": "29085c39df77",
        "SALES": "3259199f009a",
        "LABOR.COSTS": "3dd9c51ca3d9",
        "DEPRECIATION": "2965747a1e69",
        "OPERATING.PROFIT": "9497a034ea95",
        "FINANCIAL.OUTCOME": "3873fe1dccd8",
        "GROSS.PROFIT": "2bcc4426ffae",
        "NET.PROFIT": "d4bce50d38a6",
    },
    origin=_origin("Tarragona", "tarragona.csv"),
)

# The file has 15 columns; name, state, year and month of the utility are not used in the literature.
EIA = ReferenceSet(
    name="eia",
    file="casc/eia.csv",
    n_records=4092,
    digests={
        "UTILITYID": "309542a2e0e0",
        "RESREVENUE": "469afbccc492",
        "RESSALES": "d955b8854e9b",
        "COMREVENUE": "bf194924c09f",
        "COMSALES": "09e815623ec4",
        "INDREVENUE": "001552e5b5e4",
        "INDSALES": "f4602f7fbff9",
        "OTHREVENUE": "83c905202543",
        "OTHRSALES": "40ce094e4816",
        "TOTREVENUE": "01cd9817f31f",
        "TOTSALES": "650244aea186",
    },
    origin=_origin("EIA", "eia.csv"),
)


def census() -> pa.Table:
    """1080 records of persons with 13 income and tax variables (U.S. Bureau of the Census, 1995)."""
    return CENSUS.load()


def tarragona() -> pa.Table:
    """834 records of companies in the Tarragona area with 13 balance sheet variables (1995)."""
    return TARRAGONA.load()


def eia() -> pa.Table:
    """4092 records with 11 variables: revenues and sales of electric utilities (U.S. Energy Information Authority)."""
    return EIA.load()
