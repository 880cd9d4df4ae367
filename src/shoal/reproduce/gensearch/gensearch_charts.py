"""Charts: costs of Mondrian and GenSearch, figures 21, 23 and 24, errors of count queries, scalability."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shoal.reproduce.gensearch.experiment_runs import Run
from shoal.reproduce.gensearch.experiments import Improvement
from shoal.reproduce.gensearch.mondrians import MONDRIANS

BLUE, GRAY = "#0b6e99", "#888"
METHOD_COLORS = {
    "strict": "#cccccc",
    "steepest": "#888888",
    "greedy": "#555555",
    "enumeration": "#9cc3d5",
    "boxes": BLUE,
}
TITLES = {
    "1": "1: Adult, DM",
    "2": "2: Adult, CM",
    "3": "3: Census-Income, DM",
    "4": "4: Adult, DM",
    "5": "5: Census-Income, DM, other splits",
    "6": "6: Census-Income, VM",
    "7": "7: Adult, VM",
}


def charts(runs: Sequence[Run], results: dict[str, Any]) -> dict[str, str]:
    return {
        "costs.svg": _costs(runs),
        "figure_21.svg": _improvements(results["figure_21"]),
        "figure_23.svg": _keys(results["figure_23"]),
        "figure_24.svg": _early(results["figure_24"]),
        "queries.svg": _queries(results["queries"]),
        "scalability.svg": _scalability(results["scalability"]),
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
        for method, cost in one.costs.items()
    ]
    panels = [
        _bars([v for v in values if v["experiment"] == title], "setting", "times the bound", str(title))
        for title in dict.fromkeys(value["experiment"] for value in values)
    ]
    return _svg(alt.concat(*panels, columns=2).resolve_scale(xOffset="independent"))


def _improvements(found: Sequence[Improvement]) -> str:
    values = [
        {"setting": one.setting, "method": search, "gain, %": one.gain(getattr(one, search))}
        for one in found
        for search in ("enumeration", "boxes")
    ]
    return _svg(_bars(values, "setting", "gain, %", "Figure 21: gain over Mondrian's partition, Census-Income, DM"))


def _keys(found: Sequence[dict[str, Any]]) -> str:
    """Costs over that of the key bound."""
    import altair as alt

    of_bound = {(one["k"], one["max_size"]): one["cost"] for one in found if one["key"] == "bound"}
    values = [
        {
            "k": one["k"],
            "queue": f"{one['max_size']:,} wait",
            "key": one["key"],
            "cost / cost by bound": one["cost"] / of_bound[one["k"], one["max_size"]],
        }
        for one in found
    ]
    colors = alt.Scale(domain=["bound", "cost", "ratio"], range=[BLUE, "#9cc3d5", GRAY])
    title = "Figure 23: keys of the queue, Adult, DM"
    return _svg(_panels_by_k(values, "queue", "key", "cost / cost by bound", title, colors))


def _early(found: Sequence[dict[str, Any]]) -> str:
    """Costs after a fifth of the nodes and after all of them."""
    import altair as alt

    colors = alt.Scale(domain=["a fifth", "all"], range=[GRAY, BLUE])
    title = "Figure 24: a fifth of the nodes and all, Adult, DM"
    return _svg(_panels_by_k(found, "search", "part", "cost", title, colors))


def _panels_by_k(values: Sequence[dict[str, Any]], across: str, by: str, up: str, title: str, colors: Any) -> Any:
    """Panels side by side, one for each k."""
    import altair as alt

    panels = [
        _grouped([value for value in values if value["k"] == k], across, by, up, f"{title}, k={k}", colors)
        for k in dict.fromkeys(value["k"] for value in values)
    ]
    return alt.hconcat(*panels)


def _queries(found: list[dict[str, float]]) -> str:
    values = [
        {"query": str(one["query"]), "method": method, "error, %": one[method]}
        for one in found
        for method in (*MONDRIANS, "boxes")
    ]
    return _svg(_bars(values, "query", "error, %", "9: count queries on Adult"))


def _bars(values: list[dict[str, Any]], across: str, up: str, title: str) -> Any:
    import altair as alt

    shown = [name for name in METHOD_COLORS if any(value["method"] == name for value in values)]
    colors = alt.Scale(domain=shown, range=[METHOD_COLORS[name] for name in shown])
    return _grouped(values, across, "method", up, title, colors)


def _grouped(values: list[dict[str, Any]], across: str, by: str, up: str, title: str, colors: Any) -> Any:
    """Bars side by side, in the order of the colors."""
    import altair as alt

    return (
        alt.Chart(alt.InlineData(values=values), title=title, width=360, height=150)
        .mark_bar()
        .encode(
            x=alt.X(f"{across}:N", sort=None, title=None, axis=alt.Axis(labelAngle=-30, labelLimit=0)),
            xOffset=alt.XOffset(f"{by}:N", sort=list(colors.domain)),
            y=alt.Y(f"{up}:Q"),
            color=alt.Color(f"{by}:N", scale=colors, title=None),
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


def _svg(chart: Any) -> str:
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(chart.to_json())
    return svg
