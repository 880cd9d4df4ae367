// The search for a lower upper bound: parts of the best plan are searched again, as small as a few blocks and as large as
// the whole.
#include <algorithm>

#include "generalization/and_or.hpp"

namespace shoal {

namespace {

constexpr index_t kJobs = 32;                            // of a round
constexpr index_t kSweepNodes = 1500;                    // boxes for a part in the first sweep of the first cycle
constexpr double kSmallestParts[3] = {8.0, 13.0, 10.0};  // times the least size, in the first sweep of a cycle

}  // namespace

// Searches the parts of the best plan for better ones. A sweep takes parts up to a number of records, the next sweep up
// to twice as many, with twice the boxes for each; a new cycle begins with small parts again.
index_t AndOr::plan_improvement() {
    is_proof_ = false;
    n_jobs_ = 0;
    while (!is_finished() && waiting_.empty()) next_sweep();
    if (is_finished()) return 0;
    const std::size_t n_next = std::min(waiting_.size(), static_cast<std::size_t>(kJobs));
    const std::vector<BoxTask> tasks(waiting_.end() - static_cast<std::ptrdiff_t>(n_next), waiting_.end());
    waiting_.resize(waiting_.size() - n_next);
    add_jobs(tasks, n_sweep_nodes_);
    return static_cast<index_t>(n_jobs_);
}

void AndOr::next_sweep() {
    const auto least = static_cast<double>(planner_.space().problem().least), n = static_cast<double>(root_.total.n);
    if (n_cycles_ == 0 || largest_ >= n) {
        largest_ = least * kSmallestParts[n_cycles_ % 3];
        n_sweep_nodes_ = kSweepNodes << std::min<index_t>(n_cycles_, 20);
        ++n_cycles_;
    } else {
        largest_ *= 2;
        n_sweep_nodes_ *= 2;
    }
    read_plan(false);
}

// Reads the best plan anew, as its parts are known now.
void AndOr::read_plan(bool is_inside) {
    if (is_canceled_) return;
    begin_planning();
    n_walked_ = 0;
    n_at_walk_ = n_nodes_;
    const double cost = walk(0, root_, is_inside);
    end_planning();
    upper_ = std::min(upper_, cost);
    update_bounds(0.0);
}

// The cost of the best plan inside of a box. The largest parts that this sweep takes and that are not proven wait for a
// job, unless the box is inside of such a part.
double AndOr::walk(std::size_t depth, const KnownBox& box, bool is_inside) {
    BoxCounts& counts = planner_.level(depth).box;
    const BoxBounds* known = planned_.find(box.key, box.total.n);
    if (!known || known->upper == kInfinity) {
        const BoxCounts before = counts;
        planner_.greedy(depth, box);
        planner_.level(depth).box = before;
        known = planned_.find(box.key, box.total.n);
    }
    const BoxSolver::Best best = planner_.known_best(counts, box);
    if (!known || known->is_exact()) return best.cost;
    if (!is_inside && static_cast<double>(box.total.n) <= largest_) {
        waiting_.push_back({counts.box, box, kInfinity});
        is_inside = true;
    }
    if (best.split.column < 0) return best.cost;
    planner_.space().count(counts);
    ++n_walked_;
    double sum = 0.0;
    for (const auto& part : planner_.children(counts, box.key - box.total.key, best.split)) {
        if (!part.is_exact)
            planner_.space().enter(planner_.level(depth).box, best.split.column, part.part,
                                   planner_.level(depth + 1).box);
        sum += part.is_exact ? part.lower : walk(depth + 1, {part.sum, part.key}, is_inside);
    }
    planner_.remember(box, 0.0, {sum, best.split});
    return std::min(sum, best.cost);
}

}  // namespace shoal
