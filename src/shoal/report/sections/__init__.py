"""One file per section of a report: ``section(manifest, assessment) -> Section``, or None: nothing to say."""
