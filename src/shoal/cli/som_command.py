"""The command ``shoal som``: a self-organizing map of a table."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli.console import print_json, print_line, progress_bars

if TYPE_CHECKING:
    from shoal.assessment.utility.population_map import PopulationMap


def som(
    data: Annotated[Path, typer.Argument(help="The table: CSV, Parquet, Arrow, SPSS, Stata, SAS or Excel.")],
    policy: Annotated[
        Path | None,
        typer.Option("--policy", "-p", help="Map the quasi-identifiers of this policy instead of the numeric columns."),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="File for the pictures: .html or .svg.")] = Path(
        "map.html"
    ),
    columns: Annotated[
        list[str] | None, typer.Option("--column", "-c", help="A numeric column to map; may be repeated.")
    ] = None,
    label: Annotated[str | None, typer.Option("--label", help="Another column, by which the cells are named.")] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the random numbers.")] = 0,
    force: Annotated[
        bool, typer.Option("--force", help="Replace an existing file; inputs are never replaced.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print size and quality as JSON.")] = False,
) -> None:
    """Draw a self-organizing map of the records: distances, counts, regions and columns. Private: it shows the
    original."""
    from shoal.pipeline.som import chart
    from shoal.policy import load
    from shoal.report import render_map, render_map_svg
    from shoal.report.charts import check_charts
    from shoal.report.page_file import HTML, SVG, check_page
    from shoal.report.words import number_of
    from shoal.sources import whole_file

    if policy is not None and columns:
        raise typer.BadParameter("a policy names its columns: give --column or --policy, not both.")
    check_charts()
    rules = load(policy) if policy is not None else None
    inputs = [data, *(rules.files if rules else ())]
    with progress_bars(), whole_file(output, force=force, inputs=inputs, private=True) as draft:
        check_page(output, (*HTML, *SVG))
        population = chart(data, rules, columns=columns or (), label=label, seed=seed)
        if output.suffix.lower() in SVG:
            draft.write_text(render_map_svg(population), encoding="utf-8")
        else:
            draft.write_text(render_map(population, data.name), encoding="utf-8")
    if as_json:
        print_json(_summary(population))
    else:
        lattice = population.map.lattice
        print_line(f"{number_of(population.map.labels.size, 'record')} on {lattice.rows} x {lattice.columns} cells")
        print_line(
            f"{number_of(population.regions.n, 'region')}; topographic error "
            f"{100 * population.quality.topographic:.3g} %"
        )
        print_line(f"Wrote {output}. It shows the original and is for internal use.")


def _summary(population: PopulationMap) -> dict[str, Any]:
    lattice, regions = population.map.lattice, population.regions
    return {
        "n_records": int(population.map.labels.size),
        "lattice": asdict(lattice),
        "columns": list(population.planes),
        "quality": asdict(population.quality),
        "n_regions": regions.n,
        "davies_bouldin": regions.index if regions.n > 1 else None,
    }
