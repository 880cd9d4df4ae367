"""The extensions of files that tests read and write, from the table of formats."""

from __future__ import annotations

from shoal.sources.formats import COMPRESSED, FORMATS

COMPRESSED_CSV = [f".csv{extension}" for extension in COMPRESSED]
READ_WITH_TYPES = [extension for each in FORMATS if each.has_types for extension in each.extensions]
WRITTEN_WITH_TYPES = [extension for each in FORMATS if each.has_types for extension in each.written]
WRITTEN = [*(extension for each in FORMATS for extension in each.written), *COMPRESSED_CSV]
ONE_OF_EACH_FORMAT = [each.written[0] for each in FORMATS if each.written]
