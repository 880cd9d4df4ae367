// Which splits a leaf of a partition tree may take, so that every partition has exactly one tree.
#pragma once

#include <bitset>
#include <vector>

#include "common/matrix.hpp"

namespace shoal {

constexpr index_t max_splits = 512;
using SplitBits = std::bitset<max_splits>;

// A node whose children are visited from left to right; those not visited yet are leaves.
struct Visit {
    index_t split;
    const index_t* children;  // boxes
    index_t n_children;
    SplitBits forbidden;  // must not become a cut of the node
    index_t visited = 0;
    SplitBits in_all = SplitBits{}.set(), in_any{};  // cuts of every, of some child visited

    bool is_done() const { return visited == n_children; }
    void add(const SplitBits& cuts) {
        in_all &= cuts;
        in_any |= cuts;
        ++visited;
    }
};

// A split is a cut of a subspace if it runs through all of it. It is out of sequence if it is a cut of the subspace of
// an ancestor whose split has a higher number.
class SplitSequence {
public:
    // Splits of the same column, and of the same line of it (-1: a node of a taxonomy, which is split at once).
    SplitSequence(const index_t* columns, const index_t* lines, index_t n_splits)
        : same_column_(n_splits), same_line_(n_splits), before_(n_splits) {
        for (index_t a = 0; a < n_splits; ++a)
            for (index_t b = 0; b < n_splits; ++b) {
                same_column_[a][b] = columns[a] == columns[b];
                same_line_[a][b] = columns[a] == columns[b] && lines[a] >= 0 && lines[a] == lines[b];
                before_[a][b] = b < a;
            }
    }

    index_t n_splits() const { return static_cast<index_t>(before_.size()); }

    // At the next child: what would become a cut of the node, and must not, there or because of the node's own split.
    SplitBits forbidden(const Visit& node) const {
        SplitBits completed = same_line_[node.split];
        if (node.visited == node.n_children - 1) completed |= node.in_all & ~same_column_[node.split];
        return completed & (before_[node.split] | node.forbidden);
    }

    // Its split, what cuts all children, and on the line of its split what cuts any of them.
    SplitBits cuts(const Visit& node) const {
        SplitBits found = node.in_any & same_line_[node.split];
        if (node.is_done()) found |= node.in_all & ~same_column_[node.split];
        return found.set(static_cast<std::size_t>(node.split));
    }

private:
    std::vector<SplitBits> same_column_, same_line_, before_;
};

}  // namespace shoal
