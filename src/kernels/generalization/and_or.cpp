#include "generalization/and_or.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace shoal {

namespace {

constexpr double kOften = 0.1;     // share of boxes that were expanded before
constexpr double kSeldom = 0.04;   // a share, too
constexpr index_t kWindow = 2048;  // boxes between two changes of the size up to which boxes are solved at once
constexpr double kRise = 0.005;    // of the threshold over the bound, in proportion
constexpr double kShare = 0.05;    // or of the gap, if that is more
constexpr index_t kQuota = 4096;   // boxes of a job for a proof, at most
constexpr index_t kPart = 8;       // a round takes at most one in so many of the boxes so far
constexpr index_t kLanes = 8;      // jobs of a round, at first
constexpr index_t kMostLanes = 32;
constexpr double kRepeated = 0.2;     // share of boxes that two jobs of a round both look into
constexpr index_t kSmallestJob = 64;  // times the least size
constexpr index_t kWalk = 8;          // boxes examined for each box of the plan before it is read again

}  // namespace

AndOr::AndOr(const Problem& problem, const CellArrays& cells, std::size_t n_bytes)
    : memory_(n_bytes), planned_(memory_), max_bytes_(n_bytes), planner_(problem, n_bytes, is_canceled_),
      upper_(kInfinity), incumbent_(kInfinity), small_(4.0 * static_cast<double>(problem.least)), n_lanes_(kLanes) {
    whole_ = planner_.space().whole(cells);
    root_.total = planner_.space().total(whole_);
    root_.key = root_.total.key + planner_.space().kept_key(whole_.box);
    lower_ = planner_.space().at_least(root_.total);
}

void AndOr::set_upper(double cost) { incumbent_ = std::min(incumbent_, cost); }

void AndOr::begin_planning() {
    tasks_.clear();
    n_jobs_ = 0;
    planned_.clear(false);
    planner_.begin(planned_, {.small = small_});
    planner_.level(0).box = whole_;
}

void AndOr::end_planning() {
    n_planned_ += planner_.n_nodes();
    is_out_of_memory_ = is_out_of_memory_ || planner_.is_out_of_memory();
    merge_layer(planned_);
}

// So short that a budget is exceeded by little: what a job finds is used after the round only.
void AndOr::add_jobs(const std::vector<BoxTask>& tasks, index_t most_nodes) {
    if (tasks.empty()) return;
    const index_t share = (n_nodes_ + n_planned_) / (kPart * static_cast<index_t>(tasks.size()));
    const index_t n_nodes = std::clamp<index_t>(share, 1, most_nodes);
    while (jobs_.size() < tasks.size()) jobs_.emplace_back(memory_);
    for (const BoxTask& task : tasks) {
        Job& job = jobs_[n_jobs_++];
        job.task = task;
        job.limits = {n_nodes, small_};
        job.memory.clear(!is_proof_);
    }
    order_.resize(n_jobs_);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
        return jobs_[a].task.known.total.n > jobs_[b].task.known.total.n;
    });
}

index_t AndOr::plan_proof() {
    is_proof_ = true;
    n_jobs_ = 0;
    while (!is_finished() && n_jobs_ == 0) {
        const double limit = std::min(incumbent_, upper_);
        if (threshold_ <= lower_) threshold_ = lower_ + std::max({1.0, kRise * lower_, kShare * (limit - lower_)});
        threshold_ = std::min(threshold_, limit);
        begin_planning();
        bool is_solved = false;
        const double lower = plan(0, root_, threshold_, n_lanes_, is_solved);
        end_planning();
        update_bounds(lower);
        add_jobs(tasks_, kQuota);
    }
    return static_cast<index_t>(n_jobs_);
}

// The search of the next boxes, up to those that become jobs. Their codes are not merged: jobs begin from the whole.
double AndOr::plan(std::size_t depth, const KnownBox& box, double limit, index_t n_wanted, bool& is_solved) {
    BoxSolver::Best best = planner_.known_best(planner_.level(depth).box, box);
    const BoxBounds* known = planned_.find(box.key, box.total.n);
    is_solved = known && known->is_exact();
    if (is_solved || (known && known->lower >= limit)) return is_solved ? known->upper : known->lower;
    if (static_cast<double>(box.total.n) < small_) limit = kInfinity;
    if (n_wanted <= 1 || box.total.n < kSmallestJob * planner_.space().problem().least) {
        tasks_.push_back({planner_.level(depth).box.box, box, limit});
        return known ? known->lower : 0.0;
    }
    planner_.count(depth);
    auto& open = planner_.open_splits(depth, best);
    double waiting = kInfinity;
    while (n_wanted > 0 && !open.empty() && open.front().cost < std::min(best.cost, limit)) {
        std::pop_heap(open.begin(), open.end(), is_later);
        BoxSolver::Candidate next = open.back();
        open.pop_back();
        const std::size_t n_before = tasks_.size();
        const index_t n_here = limit == kInfinity ? n_wanted : (n_wanted + 1) / 2;
        bool is_exact = false;
        const double lower = plan_parts(depth, box, next.split, std::min(best.cost, limit), n_here, is_exact);
        next.cost = std::max(next.cost, lower);
        if (is_exact) {
            best.take(lower, next.split);
        } else if (tasks_.size() > n_before) {
            waiting = std::min(waiting, next.cost);
            n_wanted -= static_cast<index_t>(tasks_.size() - n_before);
        } else {
            open.push_back(next);
            std::push_heap(open.begin(), open.end(), is_later);
        }
    }
    const double lower = std::min({best.cost, waiting, open.empty() ? kInfinity : open.front().cost});
    planner_.remember(box, lower, best);
    is_solved = lower >= best.cost;
    return lower;
}

// Under a threshold the next part alone, for its bound may suffice; of a box that is to be solved, all parts.
double AndOr::plan_parts(std::size_t depth, const KnownBox& box, Split split, double limit, index_t n_wanted,
                         bool& is_exact) {
    const bool are_all_needed = static_cast<double>(box.total.n) < small_;
    double sum = 0.0;
    auto parts = planner_.smallest_first(planner_.level(depth).box, box.key - box.total.key, split, sum);
    index_t n_open = 0;
    for (const auto& part : parts) n_open += part.is_exact ? 0 : part.sum.n;
    const std::size_t n_before = tasks_.size();
    for (auto& part : parts) {
        if (part.is_exact) continue;
        if (sum >= limit || (!are_all_needed && tasks_.size() > n_before)) break;
        const index_t share = are_all_needed ? std::max<index_t>(n_wanted * part.sum.n / n_open, 1) : n_wanted;
        BoxCounts& inside = planner_.level(depth + 1).box;
        planner_.space().enter(planner_.level(depth).box, split.column, part.part, inside);
        const double found = plan(depth + 1, {part.sum, part.key}, limit - (sum - part.lower), share, part.is_exact);
        if (found <= part.lower) continue;
        sum += found - part.lower;
        part.lower = found;
    }
    is_exact = std::all_of(parts.begin(), parts.end(), [](const auto& part) { return part.is_exact; });
    return sum;
}

void AndOr::run(index_t number) {
    std::unique_ptr<BoxSolver> solver = idle_solver();
    Job& job = jobs_[order_[static_cast<std::size_t>(number)]];
    solver->begin(job.memory, job.limits);
    solver->space().enter(whole_, job.task.box, solver->level(0).box);
    if (is_proof_) {
        bool is_solved = false;
        solver->solve(0, job.task.known, job.task.limit, is_solved);
    } else {
        improve(*solver, job);
    }
    job.n_nodes = solver->n_nodes();
    job.n_watched = solver->n_watched();
    job.n_again = solver->n_again();
    job.is_out_of_memory = solver->is_out_of_memory();
    const std::lock_guard<std::mutex> lock(idle_mutex_);
    idle_.push_back(std::move(solver));
}

std::unique_ptr<BoxSolver> AndOr::idle_solver() {
    const std::lock_guard<std::mutex> lock(idle_mutex_);
    if (idle_.empty()) return std::make_unique<BoxSolver>(planner_.space().problem(), max_bytes_ / 4, is_canceled_);
    std::unique_ptr<BoxSolver> solver = std::move(idle_.back());
    idle_.pop_back();
    return solver;
}

// Ever wider beams, while the job has boxes left.
void AndOr::improve(BoxSolver& solver, Job& job) {
    const KnownBox& box = job.task.known;
    for (index_t round = 1; !solver.is_stopped(); ++round) {
        solver.beam(0, box, round);
        const BoxBounds* known = job.memory.find(box.key, box.total.n);
        if (known && known->is_exact()) return;
        solver.space().enter(whole_, job.task.box, solver.level(0).box);
    }
}

void AndOr::merge() {
    if (is_canceled_) return;
    n_nodes_ += std::exchange(n_planned_, 0);
    const std::size_t n_known = memory_.size();
    const index_t n_evicted = memory_.n_evicted();
    index_t n_created = 0;
    for (std::size_t i = 0; i < n_jobs_; ++i) {
        const Job& job = jobs_[i];
        n_created += merge_layer(job.memory);
        n_nodes_ += job.n_nodes;
        n_watched_ += job.n_watched;
        n_again_ += job.n_again;
        is_out_of_memory_ = is_out_of_memory_ || job.is_out_of_memory;
    }
    adapt_small();
    if (is_proof_) {
        adapt_lanes(n_created, n_known, n_evicted);
        update_bounds(0.0);
    } else if (n_nodes_ - n_at_walk_ > kWalk * n_walked_) {
        update_plan();
    }
    n_jobs_ = 0;
}

// Returns how many boxes of the layer nobody had known.
index_t AndOr::merge_layer(const LayeredMemory& layer) {
    layer.own().each([&](const BoxKey& key, const BoxBounds& found) { memory_.at(key, found.n).take(found); });
    return layer.n_new();
}

// Adapts the size up to which boxes are solved at once: it grows where boxes are often expanded again, and shrinks where
// thresholds keep the search out of most boxes.
void AndOr::adapt_small() {
    if (n_watched_ < kWindow) return;
    const auto least = static_cast<double>(planner_.space().problem().least);
    const double again = static_cast<double>(n_again_) / static_cast<double>(n_watched_);
    if (again > kOften) small_ = std::min(small_ * 1.5, 2 * static_cast<double>(root_.total.n));
    if (again < kSeldom) small_ = std::max(small_ / 1.5, 3 * least);
    n_watched_ = n_again_ = 0;
}

// Fewer jobs a round where two of them often look into the same box.
void AndOr::adapt_lanes(index_t n_created, std::size_t n_known, index_t n_evicted) {
    if (memory_.n_evicted() != n_evicted || n_created == 0) return;
    const double n_kept = static_cast<double>(memory_.size()) - static_cast<double>(n_known);
    const double repeated = 1.0 - n_kept / static_cast<double>(n_created);
    if (repeated > kRepeated) n_lanes_ = std::max<index_t>(n_lanes_ / 2, 2);
    if (repeated < kRepeated / 4) n_lanes_ = std::min<index_t>(n_lanes_ * 2, kMostLanes);
}

// Updates the bounds of the whole by those of the root.
void AndOr::update_bounds(double lower) {
    if (const BoxBounds* root = memory_.find(root_.key, root_.total.n)) {
        upper_ = std::min(upper_, root->upper);
        lower = std::max(lower, root->lower);
    }
    lower_ = std::min(std::max(lower_, lower), std::min(incumbent_, upper_));
}

}  // namespace shoal
