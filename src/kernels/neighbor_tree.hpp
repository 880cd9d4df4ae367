// Neighbors by a k-d tree whose records can be removed: boxes shrink, empty branches are passed over.
#pragma once

#include <vector>

#include "neighbors.hpp"

namespace shoal {

class NeighborTree final : public Neighbors {
public:
    explicit NeighborTree(Matrix X);

    void remove(index_t record) override;
    index_t n_left() const override { return nodes_.front().n_left; }
    void nearest(const double* point, index_t count, std::vector<Candidate>& found) override;
    index_t n_looked() const override { return n_looked_; }

private:
    struct Node {
        index_t begin, size;     // its records at positions begin .. begin + size - 1, gone ones included
        index_t n_left;
        index_t parent;          // -1 at the root
        index_t right = -1;      // the left child comes right after its parent; -1 in a leaf
        index_t lowest = -1;     // record left
    };

    index_t build(Matrix X, index_t begin, index_t size, index_t parent);
    void fill_leaf(Matrix X, const Node& leaf);
    bool fit_to_leaf(index_t node);
    bool fit_to_children(index_t node);
    double* box(index_t node) { return boxes_.data() + 2 * node * d_; }  // lows, then highs
    Candidate best_in(index_t node, const double* point) const;
    void look_in_leaf(const Node& leaf, const double* point, index_t count, std::vector<Candidate>& found);

    index_t d_;
    index_t n_looked_ = 0;
    std::vector<Node> nodes_;
    std::vector<double> boxes_;       // (n_nodes, 2, d)
    std::vector<double> values_;      // leaf after leaf, each (d, size), records left first
    std::vector<index_t> record_at_;  // (n,) record at a position
    std::vector<index_t> position_;   // (n,) position of a record
    std::vector<index_t> leaf_of_;    // (n,) leaf of a record
    std::vector<std::pair<Candidate, index_t>> to_visit_;  // (best it may hold, node) of the current question
    std::vector<double> fitted_;      // (2, d) scratch
};

}  // namespace shoal
