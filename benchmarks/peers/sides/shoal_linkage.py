"""Probabilistic linkage of two files of persons by Shoal, within blocks of equal given names and of equal postcodes."""

import numpy as np
import pyarrow.csv as pacsv
from side import report, table_file

import shoal

original, released = (
    pacsv.read_csv(table_file(place), convert_options=pacsv.ConvertOptions(strings_can_be_null=True))
    for place in (1, 2)
)
schema = shoal.Schema(
    shoal.Column(name, "identifier" if name == "person" else "quasi_identifier", "nominal")
    for name in original.column_names
)
blocking = [shoal.StandardBlocking((name,)) for name in ("given_name", "postcode")]


def link():
    return shoal.link(original, released, schema, by="probabilistic", blocking=blocking, id="person")


report(link, lambda found: {"persons found, %": 100 * float(np.mean(found.chances))})
