"""The pipeline: from a table and a policy to a verified release and its documentation.

    road.py         protect: the stages of the pipeline in their order
    original.py     the original table, and statistics of all its records
    strata.py       strata: records of different strata never share a group
    division.py     division of large strata into blocks
    perturbing.py   perturbation, before any other method
    grouping.py     microaggregation
    cutting.py      generalization by cut trees
    blanking.py     local suppression
    units.py        requirements counted by units; which households keep a released number
    weighing.py     released weights
    space.py        input of generalization: counts of combinations by key set and stratum
    telling.py      figures of cut trees for the report, certificates.py what was proved about them
    protected.py    records after a method was applied, with the figures of its plans
    groups_made.py  number of groups and suppressed records, and the numbers of the groups
    assembling.py   protected records as they are released
    assessing.py    disclosure risk and utility, for large tables from a sample
    minimality.py   minimality attack on merged groups, blank_minimality.py on local suppression
    pairing.py      original and release, and which released record belongs to which original record
    side_by_side.py assess: a release compared with its original
    linking.py      link: record linkage as an intruder would try it
    comparing.py    compare: the same table under many policies
    proving.py      the gate: verification of the written release, with the counts of an engine
    verifying.py    verify: the gate alone, and a certificate
    rechecking.py   checks of a certificate against the release, recounting.py against the original
    release.py      the result of a run, and how it is written
    evidence.py     contents of the manifest, beside.py a warning about other releases of the same table
    replaying.py    exact repetition of a release
    forecast.py     estimate of time, memory and disk
    mapping.py      chart: a self-organizing map of a table
    names.py        names of the files next to a release
    targets.py      the files that a run writes, all of them or none

The only package that uses both the stages and an engine.
"""

from shoal.run.comparing import compare
from shoal.run.forecast import Forecast, forecast
from shoal.run.linking import link
from shoal.run.names import manifest_path
from shoal.run.release import Release
from shoal.run.replaying import replay
from shoal.run.road import protect
from shoal.run.side_by_side import assess
from shoal.run.verifying import verify

__all__ = [
    "Forecast", "Release", "assess", "compare", "forecast", "link", "manifest_path", "protect", "replay", "verify",
]  # fmt: skip
