// The optimum over all ways to cut a box again and again: a dynamic program over boxes, searched best first.
//
//     OPT(box) = min(loss of the box as one block, min over its splits of the sum of OPT over their parts)
//
// Every box that was seen is remembered with a lower and an upper bound. Bounds of parts are read from the memory, so a
// split is looked into only while its sum could still be the least.
#pragma once

#include <atomic>
#include <deque>
#include <vector>

#include "generalization/box_space.hpp"
#include "generalization/inseparable.hpp"

namespace shoal {

class AndOr {
public:
    AndOr(Problem problem, const std::int32_t* codes, const index_t* n, const double* floors, const index_t* counts,
          std::size_t n_cells, std::size_t n_bytes);

    // Looks into about `n_nodes` boxes for a proof that nothing costs less, under a threshold that rises.
    void raise(index_t n_nodes);
    // Looks into about `n_nodes` boxes for something cheaper, in rounds of an ever wider beam.
    void widen(index_t n_nodes);
    // A solution that costs this much is known.
    void know(double cost);
    // From another thread: what is at work comes to an end soon. Bounds stay good.
    void stop() { is_called_off_ = true; }

    double lower() const { return lower_; }
    double upper() const { return upper_; }  // infinite until a box was looked into
    index_t n_nodes() const { return n_nodes_; }
    double small() const { return small_; }  // boxes of fewer records are solved at once
    index_t round() const { return round_; }
    bool is_out_of_memory() const { return is_out_of_memory_; }
    const BoxMemory& memory() const { return memory_; }

    // The best way to cut that is remembered, nodes in preorder: (n_nodes, 5) parent, column, start, stop, node.
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
        Counted box;
        std::vector<Candidate> candidates;
    };
    struct Best {
        double cost;
        Split split;
        void take(double other, Split by) {
            if (other < cost) *this = {other, by};
        }
    };

    void learn(double lower);
    void watch(bool is_new);
    Level& level(std::size_t depth);
    bool is_stopped() const { return n_nodes_ >= end_ || is_out_of_memory_ || is_called_off_; }
    bool look_into(std::size_t depth, const Sum& total);
    std::vector<Child> children(const Counted& box, const BoxKey& kept, Split split);
    double bound(std::size_t depth, Split split, bool& is_exact);
    double solve(std::size_t depth, const Sum& total, const BoxKey& key, double limit, bool& is_solved);
    double advance(std::size_t depth, const BoxKey& kept, Split split, double limit, bool& is_exact);
    double greedy(std::size_t depth, const Sum& total, const BoxKey& key);
    double upper_of(std::size_t depth, index_t column, const Child& child);
    double beam(std::size_t depth, const Sum& total, const BoxKey& key);
    void try_to_solve(std::size_t depth, const Sum& total, const BoxKey& key);
    std::vector<Candidate> rollouts(std::size_t depth, const BoxKey& kept, Best& best);
    void remember(const BoxKey& key, index_t n, double lower, const Best& best);
    Best known_best(const Counted& box, const Sum& total, const BoxKey& key);

    void tell(Counted& box, std::size_t depth, const Sum& total, const BoxKey& key, Box told, index_t node,
              std::vector<index_t>& nodes);
    void recall(const Counted& box, std::size_t depth, const Sum& total, const BoxKey& key);
    index_t tell_down(const Counted& counted, index_t column, bool is_block, Box& told, index_t node,
                      std::vector<index_t>& nodes);

    BoxSpace space_;
    Inseparable inseparable_;
    BoxMemory memory_;
    Counted whole_;  // as it came: no codes are joined
    std::deque<Level> levels_;
    Sum total_;
    BoxKey key_;
    double lower_, upper_, known_;
    double threshold_ = 0.0;
    double small_;  // boxes of fewer records are solved at once
    index_t n_watched_ = 0, n_new_ = 0;
    index_t n_nodes_ = 0, end_ = 0, round_ = 1;
    std::size_t most_bytes_;
    bool is_out_of_memory_ = false;
    std::atomic<bool> is_called_off_ = false;
};

}  // namespace shoal
