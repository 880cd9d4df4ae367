"""Charts of the costs of Mondrian and GenSearch, the errors of count queries, and the scalability of enumeration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shoal.reproduce.gensearch.experiment_runs import Run

BLUE, GRAY = "#0b6e99", "#888"
METHOD_COLORS = {"Mondrian": GRAY, "enumeration": "#9cc3d5", "boxes": BLUE}
TITLES = {
    "1": "1: Adult, DM",
    "2": "2: Adult, CM",
    "3": "3: Census-Income, DM",
    "4": "4: Adult, DM",
    "5": "5: Census-Income, DM, other splits",
    "6": "6: Census-Income, VM",
    "7": "7: Adult, VM",
}


def charts(runs: Sequence[Run], studies: dict[str, Any]) -> dict[str, str]:
    return {
        "costs.svg": _costs(runs),
        "queries.svg": _queries(studies["queries"]),
        "scalability.svg": _scalability(studies["scalability"]),
        "rooms.svg": _queue_sizes(studies["rooms"]),
    }


def _costs(runs: Sequence[Run]) -> str:
    import altair as alt

    values = [
        {
            "experiment": TITLES[one.experiment],
            "setting": one.setting,
            "method": method,
            "times the bound": one.factor(cost),
        }
        for one in runs
        for method, cost in (("Mondrian", one.mondrian), ("enumeration", one.enumeration), ("boxes", one.gensearch))
    ]
    panels = [
        _bars([v for v in values if v["experiment"] == title], "setting", "times the bound", title)
        for title in TITLES.values()
    ]
    return _svg(alt.concat(*panels, columns=2))


def _queries(found: list[dict[str, float]]) -> str:
    values = [
        {"query": str(one["query"]), "method": method, "error, %": one[name]}
        for one in found
        for method, name in (("Mondrian", "Mondrian"), ("boxes", "GenSearch"))
    ]
    return _svg(_bars(values, "query", "error, %", "9: count queries on Adult"))


def _bars(values: list[dict[str, Any]], across: str, up: str, title: str) -> Any:
    import altair as alt

    colors = alt.Scale(domain=list(METHOD_COLORS), range=list(METHOD_COLORS.values()))
    return (
        alt.Chart(alt.InlineData(values=values), title=title, width=260, height=140)
        .mark_bar()
        .encode(
            x=alt.X(f"{across}:N", sort=None, title=None, axis=alt.Axis(labelAngle=-30)),
            xOffset=alt.XOffset("method:N", sort=list(METHOD_COLORS)),
            y=alt.Y(f"{up}:Q"),
            color=alt.Color("method:N", scale=colors, title=None),
        )
    )


def _scalability(found: list[dict[str, Any]]) -> str:
    import altair as alt

    base = alt.Chart(alt.InlineData(values=found), width=300, height=180)
    times = base.mark_line(point=True, color=BLUE).encode(
        x=alt.X("n_splits:Q", title="splits"),
        detail="k:N",
        y=alt.Y("cpu_seconds:Q", scale=alt.Scale(type="log"), title="CPU seconds"),
    )
    factors = base.mark_line(point=True, color=GRAY).encode(
        x=alt.X("n_splits:Q", title="splits"), detail="k:N", y=alt.Y("factor:Q", scale=alt.Scale(zero=False))
    )
    return _svg(alt.hconcat(times, factors))


def _queue_sizes(found: list[dict[str, Any]]) -> str:
    import altair as alt

    chart = (
        alt.Chart(alt.InlineData(values=found), title="MAXSIZE", width=300, height=180)
        .mark_line(point=True, color=BLUE)
        .encode(
            x=alt.X("max_size:Q", scale=alt.Scale(type="log"), title="partitions that may wait"),
            y=alt.Y("factor:Q", scale=alt.Scale(zero=False), title="proven factor"),
        )
    )
    return _svg(chart)


def _svg(chart: Any) -> str:
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(chart.to_json())
    return svg
