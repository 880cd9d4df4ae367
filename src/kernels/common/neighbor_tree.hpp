// The nearest records of every record, by a k-d tree: linear memory, and a limit to the records visited.
#pragma once

#include <cstdint>
#include <vector>

#include "common/matrix.hpp"

namespace shoal {

class NeighborTree {
public:
    explicit NeighborTree(Matrix X);

    // The n_neighbors records nearest to each of the records first .. last - 1, itself apart, nearest first; on ties
    // the next after it comes first, so that duplicates have different neighbors. A search that has visited
    // `max_visited` records ends with what it has: in many dimensions a tree prunes nothing. (last - first, n_neighbors)
    std::vector<std::int32_t> nearest(index_t first, index_t last, index_t n_neighbors, index_t max_visited) const;

private:
    struct Node {
        index_t begin, end;  // records in tree order
        index_t column;      // the cut; -1 for a leaf
        double low, high;    // largest value left of the cut, smallest right of it
        index_t left, right;
    };
    struct Search;

    index_t build(Matrix X, index_t begin, index_t end);
    void look(Search& search, index_t node, double distance, std::vector<double>& offsets) const;

    index_t n_, d_;
    std::vector<index_t> order_;  // (n,) record at a place of the tree
    std::vector<index_t> place_;  // (n,) place of a record
    std::vector<double> points_;  // (n, d) in tree order
    std::vector<Node> nodes_;
};

}  // namespace shoal
