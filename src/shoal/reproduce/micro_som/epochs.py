"""Information loss of Micro-SOM by number of epochs, rough and fine: the 1 + 1 of the SOM Toolbox are too few."""

from __future__ import annotations

import json

from shoal.blocking.som import MapRules
from shoal.kernels import Matrix
from shoal.methods.microaggregation.micro_som import micro_som

TRIED = ((1, 1), (1, 2), (1, 3), (2, 4), (2, 8), (4, 16), (10, 40))
K = 3


def files(X: Matrix) -> dict[str, str]:
    losses = [
        {"epochs": f"{rough}+{fine}", "loss": micro_som(X, K, rules=MapRules(epochs=(rough, fine))).information_loss(X)}
        for rough, fine in TRIED
    ]
    return {
        "epochs.json": json.dumps({"n_records": len(X), "losses": losses}, indent=2),
        "epochs.svg": _chart(losses, len(X)),
    }


def _chart(losses: list[dict[str, object]], n_records: int) -> str:
    import altair as alt
    import vl_convert

    bars = (
        alt.Chart(alt.InlineData(values=losses), width=340, height=180)
        .mark_bar(color="#0b6e99", size=22)
        .encode(
            x=alt.X("epochs:N", sort=None, title="epochs, rough + fine", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("loss:Q", title=f"loss, %, {n_records:,} records"),
        )
    )
    svg: str = vl_convert.vegalite_to_svg(bars.to_json())
    return svg
