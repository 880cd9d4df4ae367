// The prioritized search of the partition enumeration tree, Hore et al. (Fig. 13).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "generalization/split_sequence.hpp"

namespace shoal {

// Nodes in preorder, the split of each or -1 for a leaf, up to the last split: all that follow are leaves. A partition is
// continued behind its last split only.
using PartitionTree = std::vector<std::int16_t>;

enum class SearchKey : index_t { bound = 0, cost = 1, ratio = 2, own = 3 };
using OwnKey = std::function<double(double cost, double bound, index_t n_splits)>;

struct SearchRules {
    SearchKey key;
    OwnKey own;
    double approximation;  // partitions that cost at most this many times their bound are not expanded
    bool ties;             // partitions that cost as much as the best are searched, too
};

// What a box costs as a block, what its divisions cost at least, and the splits it can take: costs and floors of all
// parts of a split together, and the parts, parts[begin[c]] .. parts[begin[c + 1] - 1]. Splits ascend.
struct BoxEntry {
    double cost = 0.0, floor = 0.0;
    std::vector<index_t> splits, begin, parts;
    std::vector<double> costs, floors;
    bool is_known = false;
};

class PartitionSearch {
public:
    PartitionSearch(SplitSequence sequence, SearchRules rules)
        : sequence_(std::move(sequence)), rules_(std::move(rules)) {}

    void enter(index_t box, BoxEntry entry);
    void start();                   // with box 0 as the only block
    void start_below(double cost);  // a partition of this cost is known from elsewhere

    // Looks at the children of up to n_nodes partitions, while fewer than max_size wait. Stops before one with blocks that
    // have not been entered, and returns them.
    std::vector<index_t> step(index_t n_nodes, index_t max_size);

    void keep_promising();      // only partitions that may still improve
    void drop(index_t n_kept);  // the least promising ones, for good
    std::vector<PartitionTree> first(index_t n) const;

    index_t n_waiting() const { return static_cast<index_t>(heap_.size()); }
    index_t n_nodes() const { return n_nodes_; }
    index_t n_dropped() const { return n_dropped_; }
    double cost() const { return cost_; }
    double lower_bound() const;  // of all partitions
    double least_left_out() const { return least_left_out_; }
    bool has_best() const { return has_best_; }
    const PartitionTree& best() const { return best_; }
    const std::vector<PartitionTree>& optima() const { return optima_; }

private:
    struct OpenPartition {
        double key, cost;
        index_t number;
        double bound;
        std::int32_t n_splits;
        PartitionTree tree;
    };
    struct Leaf {
        index_t box;
        SplitBits forbidden;
    };

    // Of equal keys the cheaper one comes first, then the older one.
    static bool is_later(const OpenPartition& a, const OpenPartition& b) {
        if (a.key != b.key) return a.key > b.key;
        return a.cost != b.cost ? a.cost > b.cost : a.number > b.number;
    }
    bool may_improve(double bound) const { return bound < cost_ || (rules_.ties && bound == cost_); }
    double key_of(double cost, double bound, index_t n_splits) const;
    void consider(double cost, double bound, index_t n_splits, PartitionTree tree);
    void expand(const OpenPartition& one);
    void find_open(const PartitionTree& tree);
    void complete_leaf();
    const index_t* children(index_t box, index_t split, index_t& n) const;

    SplitSequence sequence_;
    SearchRules rules_;
    std::vector<BoxEntry> boxes_;
    std::vector<OpenPartition> heap_;
    std::vector<Visit> path_;
    std::vector<Leaf> open_;
    PartitionTree best_;
    std::vector<PartitionTree> optima_;
    double cost_ = std::numeric_limits<double>::infinity(), least_left_out_ = cost_;
    index_t next_number_ = 0, n_nodes_ = 0, n_dropped_ = 0;
    bool has_best_ = false;
};

}  // namespace shoal
