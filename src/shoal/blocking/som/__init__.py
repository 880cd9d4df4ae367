"""Self-organizing maps: the records of a table on a small lattice, like beside like.

rules.py        how a map is made; input.py: what it takes
lattice.py      where units sit and who is next to whom; sizing.py: how many there are
axes.py         the main axes of the records; start.py: where units are before training
schedule.py     epochs and radii; neighborhood.py: how strongly units follow each other
search.py       the best matching unit of every record
batch.py, sequential.py, tree_structured.py   three ways to train
trained.py      som: all of these in their order
map.py          the trained map, its hits and its U-matrix
quality.py      how well it fits, and how well it keeps what is near together
regions.py      units that belong together, by k-means
fusing.py       parts of at least k records; codebook.py: the map as a blocking method
"""

from shoal.blocking.som.codebook import som_blocks
from shoal.blocking.som.lattice import Lattice
from shoal.blocking.som.map import Map
from shoal.blocking.som.rules import MapRules
from shoal.blocking.som.trained import som

__all__ = ["Lattice", "Map", "MapRules", "som", "som_blocks"]
