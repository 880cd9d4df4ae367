"""Grids of interval ends: as stated in a manifest, and as checked in a release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from shoal.engines.protocol import Engine, F
from shoal.gate.interval_grid import ends_faults, grid_faults, read_grid
from shoal.policy import ReleasePlan
from shoal.policy.column_treatment import Summary
from shoal.release.manifest import Manifest
from shoal.schema import Schema
from shoal.schema.grid import Grid


def grids_of_manifest(manifest: Manifest) -> dict[str, Grid]:
    """The grids in a manifest, by column; malformed entries are ignored."""
    stated = manifest.grids if isinstance(manifest.grids, Mapping) else {}
    return {name: grid for name, one in stated.items() if (grid := read_grid(one)) is not None}


def grid_mismatches(name: str, manifest: Manifest, plan: ReleasePlan, policy: Summary) -> tuple[str, ...]:
    """A fault for each column whose grid is missing in the manifest called ``name``, or differs from the policy.

    Checked only if the manifest was made with exactly this policy.
    """
    if manifest.policy.get("sha256") != policy["sha256"]:
        return ()
    stated = grids_of_manifest(manifest)
    steps = {column: plan.columns[column].step for column in plan.on_grid}
    return (
        *(f"{name} does not say where intervals of '{column}' may end" for column in steps if column not in stated),
        *(
            f"{name} says that intervals of '{column}' end on a grid of {stated[column].step}, the policy says {step}"
            for column, step in steps.items()
            if column in stated and step not in (None, stated[column].step)
        ),
    )


def end_faults(
    schema: Schema, plan: ReleasePlan, frame: F, engine: Engine[F], grids: Mapping[str, Grid]
) -> Iterator[str]:
    """Faults of interval ends in a written release: ends off the grid, or end columns that contradict the extents."""
    for name, grid in (_declared(plan) | dict(grids)).items():
        if name in plan.on_grid:
            yield from grid_faults(engine.group_counts(frame, [name]).column(0), schema[name], grid)
    for name in plan.extents:
        if plan.ends_of(name):
            yield from ends_faults(engine.group_counts(frame, [name, *plan.ends_of(name)]), schema[name])


def columns_without_grid(plan: ReleasePlan, grids: Mapping[str, Grid]) -> tuple[str, ...]:
    """Columns whose intervals should end on a grid that neither the policy nor ``grids`` states."""
    return tuple(name for name in plan.on_grid if name not in grids and name not in _declared(plan))


def _declared(plan: ReleasePlan) -> dict[str, Grid]:
    steps = {name: plan.columns[name].step for name in plan.on_grid}
    return {name: Grid(step) for name, step in steps.items() if step is not None}
