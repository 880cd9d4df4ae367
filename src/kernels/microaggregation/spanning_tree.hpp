// The shortest tree through all records, and its cut at the longest edges that leave k records on both sides.
#pragma once

#include <vector>

#include "common/matrix.hpp"

namespace shoal {

// Prim from record 0: O(n^2 d) time, O(n d) memory. Of equally near records the lowest joins first, to the record that
// was that near first.
class SpanningTree {
public:
    explicit SpanningTree(Matrix X);

    // Let up to `n_records` more join. Returns the number of records still outside the tree.
    index_t step(index_t n_records);

    const std::vector<index_t>& parent() const { return parent_; }  // (n,) of every record, -1 for record 0
    const std::vector<double>& length() const { return length_; }   // (n,) squared length of the edge to the parent

private:
    void update_distances();
    void join(index_t at);
    void leave(index_t at);

    index_t n_, d_;
    index_t last_ = 0;           // record that joined last
    std::vector<double> point_;  // (d,) its values
    index_t n_left_;
    index_t next_at_ = 0;              // position of the nearest record outside
    std::vector<double> columns_;      // (d, n) records outside first, so that the loop over them is contiguous
    std::vector<index_t> record_at_;   // (n,) record at a position
    std::vector<index_t> nearest_in_;  // (n,) of the record at a position: the nearest record inside
    std::vector<double> to_tree_;      // (n,) and how far it is
    std::vector<index_t> parent_;
    std::vector<double> length_;
};

// Edges are removed longest first, lowest record on ties, where both sides keep k records or more. Groups are numbered by
// their first record.
std::vector<index_t> cut_longest_edges(const SpanningTree& tree, index_t k);

}  // namespace shoal
