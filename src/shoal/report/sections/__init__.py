"""One file per section of a report: ``section(manifest, assessment) -> Section``, or None if it has no contents."""
