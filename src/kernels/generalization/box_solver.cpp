#include "generalization/box_solver.hpp"

#include <algorithm>

namespace shoal {

namespace {

constexpr double kPatience = 0.01;      // a split is followed until it costs this much more than the next best
constexpr std::size_t kDeepest = 4000;  // depth of nested boxes

}  // namespace

BoxSolver::BoxSolver(const Problem& problem, std::size_t n_bytes, const std::atomic<bool>& is_canceled)
    : space_(problem), code_merger_(space_.problem()), max_bytes_(n_bytes), is_canceled_(is_canceled) {}

void BoxSolver::begin(LayeredMemory& memory, const SolverLimits& limits) {
    memory_ = &memory;
    end_ = limits.n_nodes;
    small_ = limits.small;
    n_nodes_ = n_watched_ = n_again_ = 0;
}

BoxSolver::Level& BoxSolver::level(std::size_t depth) {
    while (levels_.size() <= depth) levels_.emplace_back();
    return levels_[depth];
}

void BoxSolver::remember(const KnownBox& box, double lower, const Best& best) {
    BoxBounds& known = memory_->at(box.key, box.total.n);
    known.lower = std::max(known.lower, lower);
    if (best.cost < known.upper) {
        known.upper = best.cost;
        known.split = best.split;
    }
}

BoxSolver::Best BoxSolver::known_best(const BoxCounts& counts, const KnownBox& box) {
    Best best{space_.as_block(counts, box.total), {}};
    if (const BoxBounds* known = memory_->find(box.key, box.total.n)) best.take(known->upper, known->split);
    return best;
}

void BoxSolver::count(std::size_t depth) {
    ++n_nodes_;
    space_.count(levels_[depth].box);
}

bool BoxSolver::expand(std::size_t depth, const Sum& total) {
    count(depth);
    BoxCounts& box = levels_[depth].box;
    const Problem& problem = space_.problem();
    if (total.n >= 3 * problem.least && !problem.suppresses()) code_merger_.join(box);
    if (depth % 16 == 0) {
        std::size_t n_bytes = 0;
        for (std::size_t i = 0; i <= depth; ++i) n_bytes += levels_[i].box.n_bytes();
        is_out_of_memory_ = is_out_of_memory_ || n_bytes > max_bytes_ || depth > kDeepest;
    }
    return !is_out_of_memory_;
}

// All keys are prefetched before the first is read.
std::vector<BoxSolver::Child> BoxSolver::children(const BoxCounts& counts, const BoxKey& kept, Split split) {
    std::vector<Child> found;
    found.reserve(8);
    space_.parts(counts, split.column, split.at, [&](const Span& part) {
        const Sum sum = counts.of(split.column, part);
        if (sum.n == 0) return;
        Child child{part, sum, space_.part_key(counts, kept, split.column, part, sum), 0.0, false};
        child.lower = space_.lower_bound(counts, split.column, part, sum, child.is_exact);
        if (!child.is_exact) memory_->prefetch(child.key);
        found.push_back(child);
    });
    for (Child& child : found) {
        const BoxBounds* known = child.is_exact ? nullptr : memory_->find(child.key, child.sum.n);
        if (!known) continue;
        child.is_exact = known->is_exact();
        child.lower = child.is_exact ? known->upper : std::max(child.lower, known->lower);
    }
    return found;
}

std::vector<BoxSolver::Child> BoxSolver::smallest_first(const BoxCounts& counts, const BoxKey& kept, Split split,
                                                        double& lower) {
    auto parts = children(counts, kept, split);
    for (const Child& child : parts) lower += child.lower;
    std::sort(parts.begin(), parts.end(), [](const Child& a, const Child& b) {
        return a.sum.n != b.sum.n ? a.sum.n < b.sum.n : a.part.start < b.part.start;
    });
    return parts;
}

// Of a split, by its counts alone: stored bounds of its parts are read only when it is expanded.
double BoxSolver::bound(std::size_t depth, Split split, bool& is_exact) {
    const BoxCounts& box = levels_[depth].box;
    double bound = 0.0;
    space_.parts(box, split.column, split.at, [&](const Span& part) {
        const Sum sum = box.of(split.column, part);
        bool is_block = true;
        if (sum.n > 0) bound += space_.lower_bound(box, split.column, part, sum, is_block);
        is_exact = is_exact && is_block;
    });
    return bound;
}

std::vector<BoxSolver::Candidate>& BoxSolver::open_splits(std::size_t depth, Best& best) {
    auto& open = levels_[depth].candidates;
    open.clear();
    space_.splits(levels_[depth].box, [&](Split split) {
        bool is_exact = true;
        const double sum = bound(depth, split, is_exact);
        if (is_exact)
            best.take(sum, split);
        else
            open.push_back({sum, split});
    });
    std::make_heap(open.begin(), open.end(), is_later);
    return open;
}

double BoxSolver::solve(std::size_t depth, const KnownBox& box, double limit, bool& is_solved) {
    Best best{space_.as_block(levels_[depth].box, box.total), {}};
    const BoxBounds* known = memory_->find(box.key, box.total.n);
    if (known) {
        is_solved = known->is_exact();
        if (is_solved || known->lower >= limit) return is_solved ? known->upper : known->lower;
        best.take(known->upper, known->split);
    }
    if (is_stopped()) return 0.0;
    if (static_cast<double>(box.total.n) < small_) limit = kInfinity;
    ++n_watched_;
    n_again_ += known != nullptr;
    if (!expand(depth, box.total)) return 0.0;
    const BoxKey kept = box.key - box.total.key;
    auto& open = open_splits(depth, best);
    while (!open.empty() && open.front().cost < std::min(best.cost, limit)) {
        std::pop_heap(open.begin(), open.end(), is_later);
        Candidate next = open.back();
        open.pop_back();
        const double second = open.empty() ? kInfinity : open.front().cost;
        const double patience = limit == kInfinity ? kInfinity : std::max(second, next.cost * (1 + kPatience)) + 1;
        bool is_exact = false;
        const double cost = advance(depth, kept, next.split, std::min({best.cost, limit, patience}), is_exact);
        if (is_exact) {
            best.take(cost, next.split);
        } else {
            next.cost = std::max(next.cost, cost);
            open.push_back(next);
            std::push_heap(open.begin(), open.end(), is_later);
            if (is_stopped()) break;
        }
    }
    const double lower = open.empty() ? best.cost : std::min(best.cost, open.front().cost);
    remember(box, lower, best);
    is_solved = lower >= best.cost;
    return lower;
}

// Solves the parts of a split, small ones first, until their sum reaches `limit` or is exact.
double BoxSolver::advance(std::size_t depth, const BoxKey& kept, Split split, double limit, bool& is_exact) {
    double sum = 0.0;
    auto parts = smallest_first(levels_[depth].box, kept, split, sum);
    for (Child& child : parts) {
        if (child.is_exact) continue;
        if (sum >= limit) break;
        space_.enter(levels_[depth].box, split.column, child.part, level(depth + 1).box);
        const double child_limit = limit - (sum - child.lower);
        const double found = solve(depth + 1, {child.sum, child.key}, child_limit, child.is_exact);
        if (found > child.lower) {
            sum += found - child.lower;
            child.lower = found;
        }
        if (is_stopped()) break;
    }
    is_exact = std::all_of(parts.begin(), parts.end(), [](const Child& child) { return child.is_exact; });
    return sum;
}

}  // namespace shoal
