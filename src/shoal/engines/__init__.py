"""Engines, which hold and process the records. Engines know no statistics, and no stage knows a particular engine."""
