"""Tables and figures of the paper on fuzzy blocking."""

from shoal.reproduce.printed_paper import PrintedItem, PrintedPaper

PAPER = PrintedPaper(
    "fuzzy-blocking",
    "Nin & Torra (2006), Blocking anonymized data",
    (
        PrintedItem(
            "Figure 1",
            "Ten curves from one corner of the unit square to the other: bent upward for small exponents, a "
            "straight line at one, bent downward above.",
            picture="quantifiers.svg",
        ),
        PrintedItem(
            "Figure 2",
            "Ten S-shaped curves of equal steepness, one beside the other.",
            picture="quantifiers.svg",
            differs="As printed they do not begin at 0, so their weights do not sum to 1: ours are stretched to [0, "
            "1].",
        ),
        PrintedItem("Figure 3", "Ten steps from 0 to 1, at ten places.", picture="quantifiers.svg"),
        PrintedItem(
            "Table 1",
            "Records found within the block of their original, for ten masked files of rank swapping and "
            "microaggregation.",
            ("Table 1",),
            differs="%SN of RS-10 is printed as -22.9: (840.3 - 474.5) / 474.5 is +77.09, which we compare with; a "
            "misprint. Rank swapping is random: ours is the mean of 20 seeds.",
        ),
        PrintedItem(
            "Table 2",
            "The same for the ten files with the least disclosure risk, of rank swapping and JPEG.",
            ("Table 2",),
            differs="The paper does not say how a table became a picture, nor with which coder: of the JPEG rows SN "
            "and %SN do not hold. The printed SB of RS-17 is below that of RS-18, which masks more: taken for a "
            "misprint.",
        ),
    ),
)
