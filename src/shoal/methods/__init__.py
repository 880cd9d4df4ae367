"""What a method is: from the arrays of one block, or a table of counts, to a small plan. No method touches a table."""

from shoal.methods.microaggregation.mdav import Mdav

__all__ = ["AnyMethod", "Mdav"]

AnyMethod = Mdav
