"""Proof of a written release: the gate fed by an engine, certificates, completeness of files."""
