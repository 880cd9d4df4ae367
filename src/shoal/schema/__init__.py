"""Metadata of the columns of a table: role, kind and taxonomy."""

from shoal.schema.column import Column, Kind, Level, Role
from shoal.schema.schema import Schema
from shoal.schema.taxonomy import Taxonomy

__all__ = ["Column", "Kind", "Level", "Role", "Schema", "Taxonomy"]
