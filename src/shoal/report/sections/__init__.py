"""One file per section of a report: ``section(manifest, assessment) -> Section``."""
