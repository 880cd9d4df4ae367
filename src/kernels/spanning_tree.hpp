// The shortest tree through all records, and its cut at the longest edges that leave k records on both sides.
#pragma once

#include <vector>

#include "matrix.hpp"

namespace shoal {

struct SpanningTree {
    std::vector<index_t> parent;  // (n,) of every record, -1 for record 0
    std::vector<double> length;   // (n,) squared length of the edge to the parent
};

// Prim from record 0: O(n^2 d) time, O(n d) memory. Of equally near records the lowest joins first, to the record that was
// that near first.
SpanningTree spanning_tree(Matrix X);

// Edges are removed longest first, lowest record on ties, where both sides keep k records or more. Groups are numbered by
// their first record.
std::vector<index_t> cut_longest_edges(const SpanningTree& tree, index_t k);

}  // namespace shoal
