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
    figure_families.py     the same figure of many columns, of which the worst is shown
    findings_table.py, attack_table.py, subtotal_table.py, class_size_nodes.py   tables and a chart of sections
    assessment_outline.py  a page that compares a release with its original
    comparison_outline.py  a page that compares policies
    mend_outline.py        a page on why a release is at risk, and on changes of its policy
    profile_outline.py     a page on an original, before anything is decided
    map_outline.py         a page with a self-organizing map; map_pictures.py its pictures
    linkage_outline.py     what a record linkage found
    charts.py              whether charts can be drawn
    html.py, svg.py        the tree as one self-contained page or as a part of a notebook; its pictures as SVG
    markdown.py            the tree as Markdown
    page_json.py           the tree as JSON, with the models of its JSON Schema
    external/              the external edition: what may leave the house
    theme.py, chart_text.py   the style of all drawings; names of columns and values in them

A new section is a file in ``sections/`` and a line in ``outline.py``; a new kind of picture is a file in ``pictures/``
and a line in its table. Nothing here reads records: all figures come from the manifest and the assessment.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from shoal import notebook
from shoal.report.charts import has_charts
from shoal.report.page_file import Edition, PageForm

if TYPE_CHECKING:
    from shoal.assessment.assessment import Assessment
    from shoal.assessment.comparison import Comparison
    from shoal.assessment.mend.mends import Mends
    from shoal.assessment.profile.table_profile import Profile
    from shoal.assessment.utility.population_map import PopulationMap
    from shoal.linkage.linkage_risk import Linkage
    from shoal.release.manifest import Manifest
    from shoal.report.outline_nodes import Outline

__all__ = [
    "render_assessment",
    "render_comparison",
    "render_fragment_of_release",
    "render_html",
    "render_map",
    "render_map_svg",
    "render_markdown",
    "render_mends",
    "render_profile",
    "render_release",
]

UNWRITTEN = "not written to a file"


# Altair and Jinja take half a second to import, so they are imported only when a page is rendered.
def render_release(
    manifest: Manifest, assessment: Assessment, form: PageForm = "html", edition: Edition = "internal", k: int = 0
) -> str:
    """The report of a release. ``k``: the fewest records that anything in the external edition may be about."""
    from shoal.report.external.external_outline import external_release
    from shoal.report.outline import outline

    is_external = edition == "external"
    found = external_release(_published(manifest), assessment, k) if is_external else outline(manifest, assessment)
    return _rendered(found, form, edition)


def _published(manifest: Manifest) -> Manifest:
    """The manifest as its reader can check it: a release in memory has no file whose hash could be compared."""
    if manifest.output.path is not None:
        return manifest
    return replace(manifest, output=replace(manifest.output, sha256=UNWRITTEN))


def render_html(manifest: Manifest, assessment: Assessment) -> str:
    """The report of a release as one HTML page that needs no other file and no network."""
    return render_release(manifest, assessment)


def render_markdown(manifest: Manifest, assessment: Assessment) -> str:
    """The report of a release as Markdown; charts become tables."""
    return render_release(manifest, assessment, "md")


def render_assessment(
    assessment: Assessment,
    name: str,
    form: PageForm = "html",
    edition: Edition = "internal",
    k: int = 0,
    released: Collection[str] = (),
) -> str:
    """A page that compares a release with its original. ``k``: as above; ``released``: columns that the external
    edition may name."""
    from shoal.report.assessment_outline import assessment_outline
    from shoal.report.external.external_outline import external_assessment

    is_external = edition == "external"
    outline = external_assessment(assessment, k, released) if is_external else assessment_outline(assessment, name)
    return _rendered(outline, form, edition)


def render_comparison(
    comparison: Comparison,
    name: str,
    form: PageForm = "html",
    edition: Edition = "internal",
    k: int = 0,
    n_records: int = 0,
) -> str:
    """A page that compares policies. ``k``: as above; ``n_records``: of the original."""
    from shoal.report.comparison_outline import comparison_outline
    from shoal.report.external.external_outline import external_comparison

    is_external = edition == "external"
    outline = external_comparison(comparison, n_records, k) if is_external else comparison_outline(comparison, name)
    return _rendered(outline, form, edition)


def _rendered(outline: Outline, form: PageForm, edition: Edition) -> str:
    from shoal.report import html, markdown, page_json

    match form:
        case "html":
            return html.render(outline)
        case "md":
            return markdown.render(outline)
        case "json":
            return page_json.render(outline, edition)


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


def render_mends(mends: Mends, name: str, *, is_markdown: bool = False) -> str:
    """A page on why a release is at risk and what mends it, as HTML or Markdown; for internal use."""
    from shoal.report import html, markdown
    from shoal.report.mend_outline import mend_outline

    outline = mend_outline(mends, name)
    return markdown.render(outline) if is_markdown else html.render(outline)


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


def _mends_fragment(mends: Mends) -> str:
    from shoal.report.html import render_fragment
    from shoal.report.mend_outline import mend_outline

    return render_fragment(mend_outline(mends, IN_MEMORY))


def _profile_fragment(profile: Profile) -> str:
    from shoal.report.html import render_fragment
    from shoal.report.profile_outline import profile_outline

    return render_fragment(profile_outline(profile, IN_MEMORY))


IN_MEMORY = "a table"  # a result does not know the name of its file

if has_charts():
    notebook.RENDERERS.update(
        {
            "Assessment": _assessment_fragment,
            "Comparison": _comparison_fragment,
            "Linkage": _linkage_fragment,
            "Mends": _mends_fragment,
            "Profile": _profile_fragment,
        }
    )
