"""Dataframes in and out: pandas, polars and Arrow; the release is a table of the same kind as the original."""

import pandas as pd
import polars as pl

import shoal

census = shoal.datasets.synthetic_census(800, seed=5).select(["age", "sex", "region", "income"])
policy = {
    "requirements": [{"name": "k_anonymity", "k": 4}],
    "columns": {
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "sex": {"role": "quasi_identifier"},
        "region": {"role": "quasi_identifier"},
        "income": {"role": "identifier"},  # dropped
    },
}
key = bytes(range(32))  # the same key everywhere, so that the releases can be compared; keep yours private

frames = {"arrow": census, "pandas": census.to_pandas(), "polars": pl.from_arrow(census)}
releases = {name: shoal.protect(frame, policy, key=key).table for name, frame in frames.items()}
for name, table in releases.items():
    print(f"{name}: {type(table).__module__.partition('.')[0]} {type(table).__name__}")

by_region: pd.DataFrame = releases["pandas"].groupby("region")["age"].mean().round(1).reset_index()
print(by_region.to_string(index=False))
print("the same records:", releases["polars"].equals(pl.from_arrow(releases["arrow"])))
