// A quasi-identifier as nodes: sets of codes, each with the splits that a cut may take.
#pragma once

#include <vector>

#include "common/matrix.hpp"

namespace shoal {

// How a node can be split: not at all, anywhere between two of its codes, into all of its children at once, or into two
// subsets of its codes.
enum class Rule : index_t { none = 0, line = 1, all = 2, subsets = 3 };

// Node 0 is the whole domain. The children of a node follow each other, as do their codes.
struct Attribute {
    std::vector<index_t> start, stop, first_child, n_children;
    std::vector<Rule> rule;
    std::vector<double> width;      // of a node, from 0 (one value) to 1 (all)
    std::vector<double> low, high;  // the values of a code on a line
    double spread;                  // of the whole line; 0 where it is one value
    double weight = 1.0;            // importance of the column: its widths count this many times

    index_t n_codes() const { return stop[0]; }
    double from_to(index_t first, index_t last) const { return spread > 0 ? (high[last] - low[first]) / spread : 0.0; }
};

// What a block covers of an attribute: codes of a node, of which a line may have taken a stretch and subsets a few.
struct Part {
    index_t start, stop, node;
    std::vector<index_t> codes;  // of a subset, ascending; empty: all from start on and below stop

    index_t size() const { return codes.empty() ? stop - start : static_cast<index_t>(codes.size()); }
};

// The share of the column that a part covers, times the weight of the column.
inline double width_of(const Attribute& attribute, const Part& part) {
    switch (attribute.rule[part.node]) {
        case Rule::line: return attribute.weight * attribute.from_to(part.start, part.stop - 1);
        case Rule::subsets:
            return part.size() > 1 ? attribute.weight * ((part.size() - 1.0) / (attribute.n_codes() - 1.0)) : 0.0;
        default: return attribute.weight * attribute.width[part.node];
    }
}

}  // namespace shoal
