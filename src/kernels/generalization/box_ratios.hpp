// The least ratio of loss to price of the blocks around every cell, by all boxes that could be a block.
#pragma once

#include <cstdint>
#include <vector>

#include "generalization/box_space.hpp"

namespace shoal {

// Boxes are formed attribute by attribute, with the cells of a part side by side; of the last attribute all parts of a
// line are read from prefix sums. A part that could be narrower and has the same records is left out, unless a block
// must be long on that attribute. Rules of users are not asked: there are more boxes, and ratios are lower.
class BoxRatios {
public:
    BoxRatios(Problem problem, const CellArrays& cells);

    // (n_cells,) of blocks that cost less than `reach` per record; infinite where there is none, or none with a price.
    // Empty where it takes more than `most_work`: boxes, and cells that are read.
    std::vector<double> of(const double* prices, double reach, index_t most_work);

private:
    // The cells of a box in the order of their codes of one attribute, and what lies before every code.
    struct Level {
        std::vector<std::uint32_t> cells;
        std::vector<std::size_t> at;
        std::vector<index_t> n;
        Span part;  // that is being visited
    };
    // What lies before every code of the last attribute.
    struct Sums {
        std::vector<index_t> n, counts;
        std::vector<double> prices;
        std::vector<double> worst, least;  // per code: largest ratio known of a cell, and the least found here
    };

    using Cell = const std::uint32_t*;

    void choose_order();
    void visit(std::size_t depth, Cell first, Cell last, double extent);
    void sort(Level& level, index_t column, Cell first, Cell last);
    void visit_part(std::size_t depth, const Span& part, double extent);
    bool could_be_narrower(std::size_t depth, Cell first, Cell last) const;
    bool reaches_ends(index_t column, const Span& part, Cell first, Cell last) const;
    bool is_closed(const Level& level, index_t column, const Span& part) const;
    void visit_last(Cell first, Cell last, double extent);
    void add_up(Cell first, Cell last);
    void read_line(index_t node, double extent);
    void read_part(const Span& part, double extent, double worst, double& least);
    double loss(double n, double extent) const;
    double with(index_t column, const Span& part, double extent) const;
    bool counts_hold() const;

    Problem problem_;
    const CellArrays cells_;
    std::vector<index_t> order_;      // of attributes; last the one whose line has most codes
    std::vector<bool> must_be_long_;  // per attribute
    std::vector<BlockTest> tests_;    // of counts
    std::vector<Level> levels_;
    Sums sums_;
    std::vector<index_t> counts_, codes_;
    std::vector<double> ended_;  // per code: the least ratio of the parts that end there
    const double* prices_ = nullptr;
    double reach_ = 0.0;
    index_t work_left_ = 0;
    std::vector<double> ratios_;
};

}  // namespace shoal
