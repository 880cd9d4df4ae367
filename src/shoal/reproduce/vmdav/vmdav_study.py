"""Information loss of V-MDAV by gamma, for each set and k, which the paper leaves as future work."""

from __future__ import annotations

import json

import numpy as np

from shoal import datasets
from shoal.encode.standardize import standardize
from shoal.methods.microaggregation.gamma_search import GAMMAS
from shoal.methods.microaggregation.vmdav import vmdav
from shoal.methods.microaggregation.vmdav_diagnosis import Diagnosis, vmdav_diagnosis

SETS = ("census", "tarragona", "eia")
SIZES = (3, 4, 5, 10)
COARSE = (0.0, 0.2, 0.4, 0.7, 1.1, 1.5, 2.0)


def files(*, full: bool) -> dict[str, str]:
    losses, kinds = [], []
    for name in SETS:
        X = standardize(np.column_stack(getattr(datasets, name)().columns))
        for k in SIZES:
            for gamma in GAMMAS if full else COARSE:
                loss = vmdav(X, k, gamma=gamma).information_loss(X)
                losses.append({"set": name, "k": k, "gamma": gamma, "loss": loss})
            kinds.append(_kind(name, vmdav_diagnosis(X, k)))
    return {
        "gamma.json": json.dumps(losses, indent=2),
        "diagnosis.json": json.dumps(kinds, indent=2),
        "gamma.svg": _chart(losses),
    }


def _kind(name: str, diagnosis: Diagnosis) -> dict[str, object]:
    kind = "clustered" if diagnosis.is_clustered else "scattered"
    return {"set": name, "k": diagnosis.k, "kind": kind, "best_gamma": diagnosis.best_gamma}


def _chart(losses: list[dict[str, object]]) -> str:
    import altair as alt
    import vl_convert

    lines = (
        alt.Chart(alt.InlineData(values=losses), width=200, height=110)
        .mark_line(point=True, color="#0b6e99")
        .encode(
            x=alt.X("gamma:Q"),
            y=alt.Y("loss:Q", title="loss, %", scale=alt.Scale(zero=False)),
            row=alt.Row("k:O"),
            column=alt.Column("set:N", title=None),
        )
        .resolve_scale(y="independent")
    )
    svg: str = vl_convert.vegalite_to_svg(lines.to_json())
    return svg
