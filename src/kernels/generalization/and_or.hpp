// The optimum over all recursive cuts of a box: a dynamic program over boxes, searched best first.
//
//     OPT(box) = min(loss of the box as one block, min over its splits of the sum of OPT over their parts)
//
// Every visited box is stored with a lower and an upper bound. Bounds of parts are read from the memory, so a split is
// expanded only while its sum could still be the least.
#pragma once

#include <atomic>
#include <deque>
#include <vector>

#include "generalization/box_space.hpp"
#include "generalization/code_merger.hpp"

namespace shoal {

class AndOr {
public:
    AndOr(Problem problem, const CellArrays& cells, std::size_t n_bytes);

    // Expands about `n_nodes` boxes to raise the lower bound, under a rising threshold.
    void prove(index_t n_nodes);
    // Expands about `n_nodes` boxes to lower the upper bound, in rounds of an increasingly wide beam.
    void improve(index_t n_nodes);
    // Sets an upper bound: the cost of a known solution.
    void set_upper(double cost);
    // Called from another thread: the search ends soon. Bounds stay valid.
    void stop() { is_canceled_ = true; }

    double lower() const { return lower_; }
    double upper() const { return upper_; }  // infinite until a box was expanded
    index_t n_nodes() const { return n_nodes_; }
    double small() const { return small_; }  // boxes of fewer records are solved at once
    index_t round() const { return round_; }
    bool is_out_of_memory() const { return is_out_of_memory_; }
    const BoxMemory& memory() const { return memory_; }

    // The best cuts found so far, nodes in preorder: (n_nodes, 5) parent, column, start, stop, node.
    std::vector<index_t> tree();

private:
    struct Candidate {
        double cost;
        Split split;
    };
    struct Child {
        Span part;
        Sum sum;
        BoxKey key;
        double lower;
        bool is_exact;
    };
    struct Level {
        BoxCounts box;
        std::vector<Candidate> candidates;
    };
    // A box whose best cuts are written below `node`. `written` is what the nodes above cover, before it was shrunk.
    struct Subtree {
        BoxCounts& box;
        std::size_t depth;
        const Sum& total;
        const BoxKey& key;
        Box written;
        index_t node;
    };
    struct Best {
        double cost;
        Split split;
        void take(double other, Split by) {
            if (other < cost) *this = {other, by};
        }
    };

    void update_bounds(double lower);
    void adapt_small(bool is_new);
    Level& level(std::size_t depth);
    bool is_stopped() const { return n_nodes_ >= end_ || is_out_of_memory_ || is_canceled_; }
    bool expand(std::size_t depth, const Sum& total);
    std::vector<Child> children(const BoxCounts& box, const BoxKey& kept, Split split);
    double bound(std::size_t depth, Split split, bool& is_exact);
    double solve(std::size_t depth, const Sum& total, const BoxKey& key, double limit, bool& is_solved);
    double advance(std::size_t depth, const BoxKey& kept, Split split, double limit, bool& is_exact);
    double greedy(std::size_t depth, const Sum& total, const BoxKey& key);
    double upper_of(std::size_t depth, index_t column, const Child& child);
    double beam(std::size_t depth, const Sum& total, const BoxKey& key);
    void try_to_solve(std::size_t depth, const Sum& total, const BoxKey& key);
    std::vector<Candidate> rollouts(std::size_t depth, const BoxKey& kept, Best& best);
    void remember(const BoxKey& key, index_t n, double lower, const Best& best);
    Best known_best(const BoxCounts& box, const Sum& total, const BoxKey& key);

    void write_subtree(Subtree subtree, std::vector<index_t>& nodes);
    void recall(const BoxCounts& box, std::size_t depth, const Sum& total, const BoxKey& key);
    index_t write_descent(const BoxCounts& counted, index_t column, bool is_block, Box& written, index_t node,
                          std::vector<index_t>& nodes);

    BoxSpace space_;
    CodeMerger code_merger_;
    BoxMemory memory_;
    BoxCounts whole_;  // as given: no codes are merged
    std::deque<Level> levels_;
    Sum total_;
    BoxKey key_;
    double lower_, upper_, incumbent_;
    double threshold_ = 0.0;
    double small_;  // boxes of fewer records are solved at once
    index_t n_watched_ = 0, n_new_ = 0;
    index_t n_nodes_ = 0, end_ = 0, round_ = 1;
    std::size_t max_bytes_;
    bool is_out_of_memory_ = false;
    std::atomic<bool> is_canceled_ = false;
};

}  // namespace shoal
