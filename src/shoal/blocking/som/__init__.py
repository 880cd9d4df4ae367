"""Self-organizing maps (SOM): the records of a table on a small lattice, similar records on neighboring units.

map_rules.py     options of a map; input.py: validation of its input records
lattice.py       positions and neighbors of the units; sizing.py: number of units
axes.py          principal axes of the records; start.py: initialization of the units
schedule.py      epochs and radii; neighborhood.py: the neighborhood function
nearest_units.py the best matching unit of every record
batch.py, sequential.py, tree_structured.py   three training algorithms
train.py         som: the complete training of a map
map.py           the trained map, its hits and its U-matrix
quality.py       quantization, topographic and combined error
regions.py       clusters of units, by k-means
map_fusion.py    parts of at least k records; codebook.py: the map as a blocking method
"""

from shoal.blocking.som.codebook import som_blocks
from shoal.blocking.som.lattice import Lattice
from shoal.blocking.som.map import Map
from shoal.blocking.som.map_rules import MapRules
from shoal.blocking.som.train import som

__all__ = ["Lattice", "Map", "MapRules", "som", "som_blocks"]
