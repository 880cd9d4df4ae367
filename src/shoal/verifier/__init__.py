"""The verifier: policy.toml and a written file -> what is proved of it. It stands alone and imports nothing of Shoal.

policy    what is asked: every key known, or refused
cells     the file as a table of texts in a database
structure columns, and what single cells may say
notation  intervals, nodes, spans and sets
readings  sensitive values as they are written, and as they are read
counting  classes by SQL
rules     the requirements on whole numbers of every class
anatomy   its two tables
stated    the manifest: what it says is compared, or taken over and said
proof     proven, stated, not proven, not looked at
verify    all of it in order
"""
