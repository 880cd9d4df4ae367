"""Line charts of the blocking paper's figures: one line per blocking or number of records."""

from __future__ import annotations

from collections.abc import Sequence


def lines_svg(
    points: Sequence[dict[str, object]],
    x: str,
    y: str,
    *,
    title: str,
    color: str = "blocking",
    panel: str | None = None,
    log: bool = False,
) -> str:
    """Line chart of ``points`` with the columns ``x``, ``y`` and ``color``; one panel per value of ``panel``."""
    import altair as alt
    import vl_convert

    scale = alt.Scale(type="log") if log else alt.Scale(zero=False)
    chart = (
        alt.Chart(alt.InlineData(values=list(points)), width=300 if panel is None else 150, height=200)
        .mark_line(point=True)
        .encode(
            x=alt.X(f"{x}:Q", title=NAMES.get(x, x)),
            y=alt.Y(f"{y}:Q", title=NAMES.get(y, y), scale=scale),
            color=alt.Color(f"{color}:N", title=color),
        )
    )
    if panel is not None:
        chart = chart.encode(column=alt.Column(f"{panel}:O", title=panel))
    svg: str = vl_convert.vegalite_to_svg(chart.properties(title=title).to_json())
    return svg


NAMES = {"limit": "L", "sse": "SSE", "d": "columns"}
