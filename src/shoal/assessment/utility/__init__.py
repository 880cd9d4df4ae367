"""Utility of the release and its information loss."""
