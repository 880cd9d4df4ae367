"""Shoal: publish microdata with proof.

From a table of records and a policy Shoal produces a release that provably satisfies the requirements of the policy,
and reports its information loss and remaining disclosure risk. CONTRIBUTING.md lists the packages, docs/flow.md says
how they work together.

The public names are those of ``__init__.pyi``; each is imported on first use, so that ``import shoal`` is fast.
"""

import lazy_loader

__version__ = "0.1.0"
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
