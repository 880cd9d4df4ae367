// The optimum over all recursive cuts of a box: a dynamic program over boxes, searched in rounds of jobs.
//
// A job searches inside of one box. It reads the shared memory, which no job changes, and writes to a layer of its own;
// after the round the layers are merged in the order of the jobs. Which jobs there are and how many boxes each of them
// expands depends on the memory alone: any number of threads finds the same.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "generalization/box_solver.hpp"

namespace shoal {

class AndOr {
public:
    AndOr(const Problem& problem, const CellArrays& cells, std::size_t n_bytes);

    // Prepares a round to raise the lower bound, or one to lower the upper bound; returns the number of its jobs.
    index_t plan_proof();
    index_t plan_improvement();
    // One job of the round, from any thread.
    void run(index_t job);
    // Ends the round. What a canceled round has found is dropped.
    void merge();
    // Adds up what is known now of the parts of the best plan.
    void update_plan() { read_plan(true); }

    // Sets an upper bound: the cost of a known solution.
    void set_upper(double cost);
    // Called from another thread: the search ends soon. Bounds stay valid.
    void stop() { is_canceled_ = true; }

    double lower() const { return lower_; }
    double upper() const { return upper_; }  // infinite until a box was expanded
    index_t n_nodes() const { return n_nodes_; }
    double small() const { return small_; }  // boxes of fewer records are solved at once
    bool is_out_of_memory() const { return is_out_of_memory_; }
    const BoxMemory& memory() const { return memory_; }

    // The best cuts found so far, nodes in preorder: (n_nodes, 5) parent, column, start, stop, node.
    std::vector<index_t> tree();

private:
    // A box to be searched. Without a limit a lower cost is looked for.
    struct BoxTask {
        Box box;
        KnownBox known;
        double limit;
    };
    struct Job {
        explicit Job(const BoxMemory& shared) : memory(shared) {}

        BoxTask task;
        SolverLimits limits;
        LayeredMemory memory;
        index_t n_nodes = 0, n_watched = 0, n_again = 0;
        bool is_out_of_memory = false;
    };
    // A box whose best cuts are written below `node`. `written` is what the nodes above cover, before it was shrunk.
    struct Subtree {
        BoxCounts& counts;
        std::size_t depth;
        const KnownBox& box;
        Box written;
        index_t node;
    };

    bool is_finished() const { return is_out_of_memory_ || is_canceled_ || lower_ >= std::min(incumbent_, upper_); }
    void begin_planning();
    void end_planning();
    void add_jobs(const std::vector<BoxTask>& tasks, index_t most_nodes);
    double plan(std::size_t depth, const KnownBox& box, double limit, index_t n_wanted, bool& is_solved);
    double plan_parts(std::size_t depth, const KnownBox& box, Split split, double limit, index_t n_wanted,
                      bool& is_exact);
    std::unique_ptr<BoxSolver> idle_solver();
    void improve(BoxSolver& solver, Job& job);
    void next_sweep();
    void read_plan(bool is_inside);
    double walk(std::size_t depth, const KnownBox& box, bool is_inside);
    index_t merge_layer(const LayeredMemory& layer);
    void adapt_small();
    void adapt_lanes(index_t n_created, std::size_t n_known, index_t n_evicted);
    void update_bounds(double lower);

    void write_subtree(Subtree subtree, std::vector<index_t>& nodes);
    void recall(const BoxCounts& counts, std::size_t depth, const KnownBox& box);
    index_t write_descent(const BoxCounts& counted, index_t column, bool is_block, Box& written, index_t node,
                          std::vector<index_t>& nodes);

    BoxMemory memory_;
    LayeredMemory planned_;  // layer of the planner, which runs between rounds
    std::atomic<bool> is_canceled_ = false;
    std::size_t max_bytes_;
    BoxSolver planner_;
    BoxCounts whole_;  // as given: no codes are merged
    KnownBox root_;
    double lower_ = 0.0, upper_, incumbent_;
    double threshold_ = 0.0;
    double small_;  // boxes of fewer records are solved at once
    index_t n_watched_ = 0, n_again_ = 0, n_nodes_ = 0;
    index_t n_planned_ = 0;  // boxes that the planner expanded since the last round
    bool is_out_of_memory_ = false;

    std::vector<BoxTask> tasks_;  // of the round in the making
    std::deque<Job> jobs_;
    std::size_t n_jobs_ = 0;
    std::vector<std::size_t>
        order_;  // in which jobs are run: those of many records first, so that threads end together
    index_t n_lanes_;
    bool is_proof_ = false;
    std::vector<BoxTask> waiting_;  // parts of the best plan that this sweep still looks into
    double largest_ = 0.0;          // records of the parts of this sweep
    index_t n_sweep_nodes_ = 0, n_cycles_ = 0;
    index_t n_walked_ = 0, n_at_walk_ = 0;  // boxes of the best plan when it was read, and boxes examined until then

    std::mutex idle_mutex_;
    std::vector<std::unique_ptr<BoxSolver>> idle_;
};

}  // namespace shoal
