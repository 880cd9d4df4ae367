"""Shoal: publish microdata with proof.

From a table of records and a policy Shoal produces a release that provably satisfies the requirements of the policy,
and reports its information loss and remaining disclosure risk. CONTRIBUTING.md lists the packages, docs/flow.md says
how they work together.

The public names are those of ``__init__.pyi``; each is imported on first use, so that ``import shoal`` is fast. The
list is read on first use, too: the shell imports nothing before it handles Ctrl-C.
"""

import sys

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Reads the list of public names, which replaces this function, and returns one of them."""
    import lazy_loader

    module = sys.modules[__name__]
    module.__getattr__, module.__dir__, module.__all__ = lazy_loader.attach_stub(__name__, __file__)
    return getattr(module, name)


def __dir__() -> list[str]:
    return list(__getattr__("__all__"))
