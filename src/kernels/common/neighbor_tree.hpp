// The nearest records of every record, by a k-d tree: linear memory, and a limit to the records visited.
#pragma once

#include <cstdint>
#include <vector>

#include "common/kd_tree.hpp"

namespace shoal {

class NeighborTree {
public:
    NeighborTree(Matrix X, index_t n_threads);

    // The n_neighbors records nearest to each of the records first .. last - 1, itself apart, nearest first; on ties
    // the next after it comes first, so that duplicates have different neighbors. A search that has visited
    // `max_visited` records ends with what it has: in many dimensions a tree prunes nothing. (last - first, n_neighbors)
    std::vector<std::int32_t> nearest(index_t first, index_t last, index_t n_neighbors, index_t max_visited) const;

private:
    struct Search;

    void look(Search& search, index_t node, double distance, std::vector<double>& offsets) const;

    index_t n_, d_;
    KdTree tree_;
    std::vector<index_t> place_;  // (n,) place of a record
    std::vector<double> points_;  // (n, d) in tree order
};

}  // namespace shoal
