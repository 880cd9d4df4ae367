// The search inside of one box: for its optimum, for a lower bound of it, or for a good solution.
//
//     OPT(box) = min(loss of the box as one block, min over its splits of the sum of OPT over their parts)
//
// Every visited box is stored with a lower and an upper bound. Bounds of parts are read from the memory, so a split is
// expanded only while its sum could still be the least.
#pragma once

#include <atomic>
#include <deque>
#include <limits>
#include <vector>

#include "generalization/box_space.hpp"
#include "generalization/code_merger.hpp"
#include "generalization/layered_memory.hpp"

namespace shoal {

// A box with its records, as the memory knows it.
struct KnownBox {
    Sum total;
    BoxKey key;
};

// What one search may do.
struct SolverLimits {
    index_t n_nodes = std::numeric_limits<index_t>::max();  // boxes to expand
    double small = 0.0;                                     // boxes of fewer records are solved at once
};

class BoxSolver {
public:
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
    struct Best {
        double cost;
        Split split;
        void take(double other, Split by) {
            if (other < cost) *this = {other, by};
        }
    };
    struct Level {
        BoxCounts box;
        std::vector<Candidate> candidates;
    };

    // `n_bytes`: of nested boxes. The search ends soon after `is_canceled` is set by another thread.
    BoxSolver(const Problem& problem, std::size_t n_bytes, const std::atomic<bool>& is_canceled);

    // Starts anew, with the counts of a box still to be written to level(0).
    void begin(LayeredMemory& memory, const SolverLimits& limits);

    BoxSpace& space() { return space_; }
    Level& level(std::size_t depth);
    index_t n_nodes() const { return n_nodes_; }
    index_t n_watched() const { return n_watched_; }  // boxes that were to be solved
    index_t n_again() const { return n_again_; }      // of these, known before
    bool is_out_of_memory() const { return is_out_of_memory_; }
    bool is_stopped() const { return n_nodes_ >= end_ || is_out_of_memory_ || is_canceled_; }

    // Below `limit` the result is the optimum of the box; else the optimum is no less than the result.
    double solve(std::size_t depth, const KnownBox& box, double limit, bool& is_solved);
    // Looks for a lower cost by a beam over greedy cuts; `round` is its width.
    double beam(std::size_t depth, const KnownBox& box, index_t round);
    // The cost of greedy cuts, each the one whose parts have the lowest sum; it is stored.
    double greedy(std::size_t depth, const KnownBox& box);

    // As one block, or as it was cut before.
    Best known_best(const BoxCounts& counts, const KnownBox& box);
    // Counts a box, its codes as they are.
    void count(std::size_t depth);
    // Counts a box and merges its codes. False where there is no memory to go deeper.
    bool expand(std::size_t depth, const Sum& total);
    // The splits that may cost less than the best known, a heap with the least bound first; those of blocks are taken.
    std::vector<Candidate>& open_splits(std::size_t depth, Best& best);
    // The parts with records, and what is known of them.
    std::vector<Child> children(const BoxCounts& counts, const BoxKey& kept, Split split);
    // The same, those of few records first; adds their lower bounds to `lower`.
    std::vector<Child> smallest_first(const BoxCounts& counts, const BoxKey& kept, Split split, double& lower);
    void remember(const KnownBox& box, double lower, const Best& best);

private:
    double bound(std::size_t depth, Split split, bool& is_exact);
    double advance(std::size_t depth, const BoxKey& kept, Split split, double limit, bool& is_exact);
    double upper_of(std::size_t depth, index_t column, const Child& child);
    void try_to_solve(std::size_t depth, const KnownBox& box, index_t round);
    std::vector<Candidate> rollouts(std::size_t depth, const BoxKey& kept, index_t n_kept, Best& best);

    BoxSpace space_;
    CodeMerger code_merger_;
    LayeredMemory* memory_ = nullptr;
    std::deque<Level> levels_;
    index_t n_nodes_ = 0, end_ = 0, n_watched_ = 0, n_again_ = 0;
    double small_ = 0.0;
    std::size_t max_bytes_;
    bool is_out_of_memory_ = false;
    const std::atomic<bool>& is_canceled_;
};

// Of a heap of candidates: the least cost is popped first.
inline bool is_later(const BoxSolver::Candidate& a, const BoxSolver::Candidate& b) { return a.cost > b.cost; }

}  // namespace shoal
