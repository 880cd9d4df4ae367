"""The pipeline: from a table and a policy to a verified release and its documentation.

    protect/    the stages of a release in their order
    verify/     proof of a written release, certificates, completeness of its files
    files/      names, manifests and certificates: all files of a run are written, or none
    profile.py  an original before anything is decided
    assess.py   a release compared with its original
    link.py     record linkage as an intruder would try it
    compare.py  the same table under many policies
    replay.py   exact repetition of a release
    som.py      a self-organizing map of a table
    record_pairing.py  which released record belongs to which original record

The only package that uses both the stages and an engine.
"""
