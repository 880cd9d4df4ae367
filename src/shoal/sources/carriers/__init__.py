"""Carriers: everything that a file holds besides its cells, found by code that is independent of the writers.

    label_carriers          SPSS, Stata, SAS: labels, documents, ranges of missing values
    parquet_carriers        metadata, statistics, lists of categories
    arrow_carriers          metadata, lists of categories, bytes under missing cells
    workbook_carriers       properties, comments, links, names, hidden sheets
    compression_carriers    names and comments in the headers of compressed files

Nothing here is imported by code that writes files.
"""

from shoal.sources.carriers.carrier import VALUE_LABELS, Carrier, carriers_of

__all__ = ["VALUE_LABELS", "Carrier", "carriers_of"]
