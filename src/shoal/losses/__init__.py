"""What a plan costs, as sums over its groups."""
