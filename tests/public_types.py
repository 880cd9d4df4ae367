"""The public names as a strict type checker sees them: `make types` reads this file, nothing runs it."""

from typing import assert_type

import shoal
from shoal import Policy, datasets, mdav
from shoal.kernels import Matrix

points: Matrix = datasets.uniform_array(100, 2)
assert_type(mdav(points, 3), shoal.Partition)
assert_type(shoal.microaggregation.mdav(points, 3), shoal.microaggregation.Partition)
assert_type(shoal.__version__, str)
assert_type(shoal.protect("people.csv", "policy.toml"), shoal.Release)
assert_type(shoal.protect("people.csv", "policy.toml").policy, Policy)
assert_type(shoal.verify("release.csv", "policy.toml"), shoal.Proof)
assert_type(shoal.profile("people.csv"), shoal.Profile)
assert_type(shoal.propose("people.csv"), shoal.Proposal)
assert_type(shoal.linkage.Intruder(), shoal.Intruder)
assert_type(shoal.risk.suda(points), shoal.risk.Suda)
