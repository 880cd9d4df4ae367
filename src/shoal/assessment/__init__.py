"""The only package that reads original and release together: disclosure risk and information loss."""
