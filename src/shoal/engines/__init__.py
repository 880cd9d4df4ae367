"""Who carries the records. Engines know no statistics, and no stage knows an engine."""
