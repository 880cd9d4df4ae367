"""Record linkage: which released record an intruder takes for which person, with and without blocking.

The public names are those of ``__init__.pyi``; each is imported on first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
