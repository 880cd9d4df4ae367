"""Tables and figures of the paper on Micro-SOM."""

from shoal.reproduce.printed_paper import PrintedItem, PrintedPaper

PAPER = PrintedPaper(
    "micro-som",
    "Solanas, Gavalda & Rallo (2009), Micro-SOM: a linear-time multivariate microaggregation algorithm based on "
    "self-organizing maps, doi:10.1007/978-3-642-04274-4_55",
    (
        PrintedItem(
            "Figure 1",
            "Six panels: a cloud of points, the same colored by the unit of the map, small parts marked, lines from "
            "them to neighbors, the parts after fusing, and the means that are released.",
            picture="steps.svg",
            differs="The records of the drawing are not published.",
        ),
        PrintedItem(
            "Figure 2",
            "Four panels over k from 2 to 10: two rising curves, the tree-based method a little below the map's, and "
            "closer to it as k grows; the map's curve is the flatter one.",
            ("Figure 2",),
            "figure2.svg",
            "The curves have no printed numbers. On EIA and on uniform records 'a little' is 2 to 3 percentage points.",
        ),
        PrintedItem(
            "Figure 3",
            "Four panels over k: nearly equal low curves for the two small sets; for the two larger ones the "
            "tree-based method is far above the map.",
            ("Time: power of n",),
            "figure3.svg",
            "Our mu-Approx finds neighbors by a tree and is not quadratic, so it stays below the map in all four "
            "panels: the shape is another one, and the paper's claim does not hold of it.",
        ),
        PrintedItem(
            "Table 1",
            "SSE, SST, loss and seconds for 100,000 uniform records, k from 2 to 10.",
            ("Table 1",),
            differs="The SST is printed as 3e9; 7,632 and 2.544 % give 3e5, the number of cells of z-scores: a "
            "misprint. The Toolbox's rule of training gives losses of 4 to 7 % here; we train longer, as epochs.json "
            "shows.",
        ),
    ),
)
