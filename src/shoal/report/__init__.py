"""What the reader is told of a release: for the data steward who made it and the board that lets it go.

    nodes.py        the tree of a report: sections, tables, charts; no markup
    outline.py      which sections, in which order
    verdict.py      the one sentence on top
    sections/       one file per section: what it says
    words.py        how counts, names, shares and requirements are put
    map_pictures.py what is shown of a map, map_outline.py a page of its own, map_charts.py how cells are drawn
    assessment_outline.py a page of a release beside its original
    comparison_outline.py a page of policies side by side, frontier_chart.py how they are drawn
    plan_nodes.py   a cut tree and a search; cut_tree_chart.py and convergence_chart.py how they are drawn
    class_sizes.py, findings_table.py   a chart and a table that sections use
    charts.py       charts of the tree as Altair charts, theme.py how they look
    svg.py          an Altair chart as text that stands in a page
    html.py         the tree as one page that needs nothing else
    markdown.py     the tree as Markdown

A new section is a file in ``sections/`` and a line in ``outline.py``; a new form of chart is a function in
``charts.py``. Nothing here looks at records: all figures come from the manifest and the assessment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shoal.assess.assessment import Assessment
    from shoal.assess.comparison import Comparison
    from shoal.assess.utility.population_map import PopulationMap
    from shoal.release.manifest import Manifest

__all__ = ["render_assessment", "render_comparison", "render_html", "render_map", "render_map_svg", "render_markdown"]


# Altair and Jinja take half a second to import: they are paid for by whoever wants a page.
def render_html(manifest: Manifest, assessment: Assessment) -> str:
    """One page that needs no other file and no network."""
    from shoal.report.html import render
    from shoal.report.outline import outline

    return render(outline(manifest, assessment))


def render_assessment(assessment: Assessment, name: str) -> str:
    """A page of a release that is held beside its original."""
    from shoal.report.assessment_outline import assessment_outline
    from shoal.report.html import render

    return render(assessment_outline(assessment, name))


def render_comparison(comparison: Comparison, name: str, *, is_markdown: bool = False) -> str:
    """A page of policies side by side."""
    from shoal.report import html, markdown
    from shoal.report.comparison_outline import comparison_outline

    outline = comparison_outline(comparison, name)
    return markdown.render(outline) if is_markdown else html.render(outline)


def render_map(population: PopulationMap, name: str) -> str:
    """A page of the pictures of a map."""
    from shoal.report.html import render
    from shoal.report.map_outline import map_outline

    return render(map_outline(population, name))


def render_map_svg(population: PopulationMap) -> str:
    """The same pictures in one drawing."""
    from shoal.report.map_pictures import map_pictures
    from shoal.report.svg import together

    return together(map_pictures(population))


def render_markdown(manifest: Manifest, assessment: Assessment) -> str:
    """The same as text; charts become tables."""
    from shoal.report.markdown import render
    from shoal.report.outline import outline

    return render(outline(manifest, assessment))
