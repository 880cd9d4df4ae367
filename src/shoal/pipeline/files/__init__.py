"""The files of a release: names, manifests, certificates, all of them written or none."""
