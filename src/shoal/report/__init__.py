"""Reports on a release, for the data steward who made it and the board that approves it.

    outline_nodes.py       the tree of a report: sections and their parts, without markup
    text_nodes.py          parts that are text: paragraphs, lists, tables, highlighted figures
    pictures/              one file per kind of picture: its value, its drawing, its words; the table of all kinds
    outline.py             the sections of the report of a release, in their order
    sections/              one file per section with its text
    verdict.py             the summary sentence at the top
    exposure_words.py      warnings about exposed records, with lines for the policy
    words.py               wording of counts, names, shares and requirements
    perturbation_words.py  wording of perturbations
    recoding_words.py      wording of global recoding by hand
    findings_table.py, attack_table.py, class_size_nodes.py   tables and a chart that several sections use
    assessment_outline.py  a page that compares a release with its original
    comparison_outline.py  a page that compares policies
    profile_outline.py     a page on an original, before anything is decided
    map_outline.py         a page with a self-organizing map; map_pictures.py its pictures
    linkage_outline.py     what a record linkage found
    html.py, svg.py        the tree as one self-contained page or as a part of a notebook; its pictures as SVG
    markdown.py            the tree as Markdown
    theme.py, chart_text.py   the style of all drawings; names of columns and values in them

A new section is a file in ``sections/`` and a line in ``outline.py``; a new kind of picture is a file in ``pictures/``
and a line in its table. Nothing here reads records: all figures come from the manifest and the assessment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal import notebook

if TYPE_CHECKING:
    from shoal.assessment.assessment import Assessment
    from shoal.assessment.comparison import Comparison
    from shoal.assessment.profile.table_profile import Profile
    from shoal.assessment.utility.population_map import PopulationMap
    from shoal.linkage.linkage_risk import Linkage
    from shoal.release.manifest import Manifest

__all__ = [
    "render_assessment",
    "render_comparison",
    "render_fragment_of_release",
    "render_html",
    "render_map",
    "render_map_svg",
    "render_markdown",
    "render_profile",
]


# Altair and Jinja take half a second to import, so they are imported only when a page is rendered.
def render_html(manifest: Manifest, assessment: Assessment) -> str:
    """The report of a release as one HTML page that needs no other file and no network."""
    from shoal.report.html import render
    from shoal.report.outline import outline

    return render(outline(manifest, assessment))


def render_assessment(assessment: Assessment, name: str) -> str:
    """An HTML page that compares a release with its original."""
    from shoal.report.assessment_outline import assessment_outline
    from shoal.report.html import render

    return render(assessment_outline(assessment, name))


def render_comparison(comparison: Comparison, name: str, *, is_markdown: bool = False) -> str:
    """A page that compares policies, as HTML or Markdown."""
    from shoal.report import html, markdown
    from shoal.report.comparison_outline import comparison_outline

    outline = comparison_outline(comparison, name)
    return markdown.render(outline) if is_markdown else html.render(outline)


def render_map(population: PopulationMap, name: str) -> str:
    """An HTML page with the pictures of a self-organizing map."""
    from shoal.report.html import render
    from shoal.report.map_outline import map_outline

    return render(map_outline(population, name))


def render_map_svg(population: PopulationMap) -> str:
    """The same pictures as one SVG."""
    from shoal.report.map_pictures import map_pictures
    from shoal.report.svg import combined_svg

    return combined_svg(map_pictures(population))


def render_markdown(manifest: Manifest, assessment: Assessment) -> str:
    """The report of a release as Markdown; charts become tables."""
    from shoal.report.markdown import render
    from shoal.report.outline import outline

    return render(outline(manifest, assessment))


def render_profile(profile: Profile, name: str, *, is_markdown: bool = False) -> str:
    """A page on an original before anything is decided, as HTML or Markdown."""
    from shoal.report import html, markdown
    from shoal.report.profile_outline import profile_outline

    outline = profile_outline(profile, name)
    return markdown.render(outline) if is_markdown else html.render(outline)


def render_fragment_of_release(manifest: Manifest, assessment: Assessment) -> str:
    """The report of a release as a part of a notebook."""
    from shoal.report.html import render_fragment
    from shoal.report.outline import outline

    return render_fragment(outline(manifest, assessment))


def _assessment_fragment(assessment: Assessment) -> str:
    from shoal.report.assessment_outline import assessment_outline
    from shoal.report.html import render_fragment

    return render_fragment(assessment_outline(assessment, IN_MEMORY))


def _comparison_fragment(comparison: Comparison) -> str:
    from shoal.report.comparison_outline import comparison_outline
    from shoal.report.html import render_fragment

    return render_fragment(comparison_outline(comparison, IN_MEMORY))


def _linkage_fragment(linkage: Linkage) -> str:
    from shoal.report.html import render_fragment
    from shoal.report.linkage_outline import linkage_outline

    return render_fragment(linkage_outline(linkage))


def _profile_fragment(profile: Profile) -> str:
    from shoal.report.html import render_fragment
    from shoal.report.profile_outline import profile_outline

    return render_fragment(profile_outline(profile, IN_MEMORY))


IN_MEMORY = "a table"  # a result does not know the name of its file

notebook.RENDERERS.update(
    {
        "Assessment": _assessment_fragment,
        "Comparison": _comparison_fragment,
        "Linkage": _linkage_fragment,
        "Profile": _profile_fragment,
    }
)
