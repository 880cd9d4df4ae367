"""The whole road: a table and a policy in, a proven release and its evidence out.

    road.py       protect: the stages in their order
    proving.py    verify: the gate, fed by an engine
    release.py    what comes out, and how it is written
    evidence.py   what the manifest says of it
    replaying.py  the same release once more
    mapping.py    chart: a map of a table, to be drawn
    targets.py    the files that a run leaves, all of them or none

The only room that sees the stages and an engine.
"""

from shoal.run.proving import verify
from shoal.run.release import Release, manifest_path
from shoal.run.replaying import replay
from shoal.run.road import protect

__all__ = ["Release", "manifest_path", "protect", "replay", "verify"]
