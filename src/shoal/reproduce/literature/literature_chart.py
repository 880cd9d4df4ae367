"""Chart of the literature: how far every printed and every own loss is above the lower bound."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.reproduce.literature.own_losses import OwnLosses
from shoal.reproduce.literature.printed_losses import PrintedLosses

COLORS = {"printed": "#888", "Shoal": "#0b6e99"}


def losses_svg(found: Sequence[OwnLosses], printed: Sequence[PrintedLosses]) -> str:
    """One panel for each set and k; all methods above each other."""
    import altair as alt
    import vl_convert

    values = [
        {"panel": f"{one.name}, k={one.k}", "method": method, "by": by, "above": 100 * (loss / one.bound - 1)}
        for one in found
        for by, losses in (("printed", _printed(one, printed)), ("Shoal", one.losses))
        for method, loss in losses.items()
    ]
    methods = list(dict.fromkeys(str(value["method"]) for value in values))
    colors = alt.Scale(domain=list(COLORS), range=list(COLORS.values()))
    panels = [
        alt.Chart(
            alt.InlineData(values=[value for value in values if value["panel"] == panel]),
            title=str(panel),
            width=220,
            height=170,
        )
        .mark_point(filled=True, size=45)
        .encode(
            x=alt.X("above:Q", title="% above the lower bound"),
            y=alt.Y("method:N", sort=methods, title=None, axis=alt.Axis(labelLimit=0)),
            color=alt.Color("by:N", scale=colors, title=None),
        )
        for panel in dict.fromkeys(value["panel"] for value in values)
    ]
    svg: str = vl_convert.vegalite_to_svg(alt.concat(*panels, columns=2).to_json())
    return svg


def _printed(one: OwnLosses, printed: Sequence[PrintedLosses]) -> dict[str, float]:
    at = one.name, one.k
    return {f"{each.method} (printed)": each.losses[at] for each in printed if at in each.losses}
