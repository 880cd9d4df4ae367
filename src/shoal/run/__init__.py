"""The whole road: a table and a policy in, a proven release and its evidence out.

    road.py         protect: the stages in their order
    original.py     what must be known of all records at once
    strata.py       records that never share a group
    division.py     large strata are divided into blocks
    grouping.py     the road of microaggregation
    cutting.py      the road of generalization
    space.py        what is cut: combinations by key set and stratum
    telling.py      what is kept of cut trees, certificates.py what was proved of them
    protected.py    records that a method has protected, and what is told of its plans
    groups_made.py  how many groups there are, and their numbers
    assembling.py   protected records as they are released
    assessing.py    risk and utility, of large tables from a sample
    minimality.py   what merging tells who forms the groups anew, blank_minimality.py what blanks do
    pairing.py      original and release, and who is who
    side_by_side.py assess: a release held beside its original
    linking.py      link: the intruder's attack, tried out
    comparing.py    compare: the same table under many policies
    proving.py      the gate, fed by an engine
    verifying.py    verify: the gate alone, and a certificate
    rechecking.py   what of a certificate can be recounted from the release, recounting.py with the original
    release.py      what comes out, and how it is written
    evidence.py     what the manifest says of it, beside.py of other releases of the same table
    replaying.py    the same release once more
    forecast.py     what a run would take
    mapping.py      chart: a map of a table, to be drawn
    names.py        files that lie beside a release
    targets.py      the files that a run leaves, all of them or none

The only room that sees the stages and an engine.
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
