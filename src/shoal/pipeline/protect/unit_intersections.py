"""What the classes of a unit's records have in common, where the method protects these records one by one."""

from __future__ import annotations

import pyarrow as pa

from shoal.assessment.assessment import Assessment
from shoal.assessment.exposure import Exposure
from shoal.assessment.risk.intersections import UnitClasses
from shoal.encode.class_numbers import class_numbers
from shoal.encode.codes import to_codes
from shoal.engines.protocol import F
from shoal.findings import Findings
from shoal.pipeline.protect.fitted_table import FittedTable


def with_intersections(
    assessment: Assessment, changed: FittedTable[F], before: pa.Table, after: pa.Table
) -> Assessment:
    """The assessment with a finding, and a warning, for each column whose values belong to units. ``before``,
    ``after``: all released records, before and after protection."""
    plan, unit = changed.plan, changed.schema.unit
    if unit is None or not len(after) or plan.representation.separates_sensitive:
        return assessment
    for name in plan.values_by_record:
        units, values = (to_codes(each, before[each]).codes for each in (unit.name, name))
        known = (units >= 0) & (values >= 0)
        classes = class_numbers(after, plan.with_ends(plan.quasi_identifiers))
        found = UnitClasses(classes[known], values[known], units[known]).finding(name)
        assessment = assessment.with_findings(Findings((found,) if found else ()))
        if found and found.interval and found.interval[0] > (found.baseline or 0):
            warning = Exposure("intersected", found.estimate, found.baseline or 0, (name,), "")
            assessment = assessment.with_exposures((warning,))
    return assessment
