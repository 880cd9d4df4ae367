"""The whole road: a table and a policy in, a proven release and its evidence out.

    road.py       protect: the stages in their order
    proving.py    verify: the gate, fed by an engine
    release.py    what comes out, and how it is written
    evidence.py   what the manifest says of it
    replaying.py  the same release once more
    forecast.py   what it would take
    targets.py    the files that a run leaves, all of them or none

The only room that sees the stages and an engine.
"""

from shoal.run.forecast import Forecast, forecast
from shoal.run.proving import verify
from shoal.run.release import Release, manifest_path
from shoal.run.replaying import replay
from shoal.run.road import protect

__all__ = ["Forecast", "Release", "forecast", "manifest_path", "protect", "replay", "verify"]
