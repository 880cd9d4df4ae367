"""What the literature prints for the three sets of the CASC project, beside the losses and the bound of Shoal."""
