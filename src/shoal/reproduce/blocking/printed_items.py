"""Tables and figures of the paper on 2^d-tree blocking."""

from shoal.reproduce.printed_paper import PrintedItem, PrintedPaper

OTHER_RECORDS = "The records of the paper are not published: ours are other uniform records."
FEWER = f"{OTHER_RECORDS} The small setting takes a tenth of them, and a tenth of each L."

PAPER = PrintedPaper(
    "blocking",
    "Solanas, Martinez-Balleste, Domingo-Ferrer & Mateo-Sanz (2006), A 2^d-tree-based blocking method for "
    "microaggregating very large data sets, ARES",
    (
        PrintedItem("Table 1", "The symbols of the paper.", explains=True),
        PrintedItem("Table 2", "What a node of the tree holds.", explains=True),
        PrintedItem(
            "Figure 1",
            "A square cut into quarters, and again where many of 500 points lie, so that cells are small in the "
            "crowds and large elsewhere.",
            picture="figures_1_3.svg",
            differs="The 500 records are not published; ours form three clusters. One drawing shows Figures 1 to 3.",
        ),
        PrintedItem(
            "Figure 2",
            "The same square; the few cells with less than ten points are highlighted, most of them at the edge of "
            "a crowd.",
            picture="figures_1_3.svg",
        ),
        PrintedItem(
            "Figure 3",
            "The same cells with the mean of each as a mark, and a line from each small cell to the nearest mean.",
            picture="figures_1_3.svg",
        ),
        PrintedItem(
            "Table 3",
            "Numbers of blocks by the limit L, univariate and by the tree.",
            ("Table 3",),
            differs="L = 10,000: 1,024 blocks are printed, as for L = 5,000. The paper's own rule leaves about 260 "
            "of 2,500,000 uniform records, so the printed number is taken for a misprint.",
        ),
        PrintedItem(
            "Figure 4",
            "Two falling curves over L; the tree's has steps and stays above the other.",
            ("Table 3",),
            "figure_4.svg",
            "The same numbers as Table 3, with the same misprint.",
        ),
        PrintedItem(
            "Figure 5",
            "Four panels, for 500,000 to 2,000,000 records: over L a falling curve of univariate blocks, and far "
            "below it an almost flat one of the tree.",
            ("Verdicts: ratios of SSE, 2^d-tree / univariate",),
            "figure_5.svg",
            f"No number is printed. {FEWER}",
        ),
        PrintedItem(
            "Figure 6",
            "Curves over L for several numbers of records, one upon the other: the SSE of the tree hardly depends "
            "on how many.",
            ("Verdicts: ratios of SSE, 2^d-tree, most",),
            "figure_6.svg",
            FEWER,
        ),
        PrintedItem(
            "Figure 7",
            "The same for univariate blocks: the curves fan out toward small L, the more records the higher.",
            ("Verdicts: ratios of SSE, univariate, most",),
            "figure_7.svg",
            FEWER,
        ),
        PrintedItem(
            "Table 4", "SSE of 2,500,000 records by the number of columns.", ("Table 4",), differs=OTHER_RECORDS
        ),
        PrintedItem(
            "Figure 8",
            "SSE over the number of columns, both curves rising steeply, the tree's always below.",
            ("Verdicts: ratios of SSE, univariate / 2^d-tree",),
            "figure_8_n250000.svg",
            "The caption says 250,000 records, the table that it belongs to 2.5 million, both with L = 10,000: it "
            "is drawn for both.",
        ),
        PrintedItem(
            "Table 5",
            "SSE of EIA within blocks of at most 100 and 200 records, and without blocks.",
            ("Table 5", "Verdicts: ratios of SSE, EIA"),
            differs="EIA has 4,092 records; 4,096 are printed. The paper does not name the column of its univariate "
            "blocks; equal intervals of no column give its numbers, runs of RESREVENUE come within 5 %.",
        ),
    ),
)
