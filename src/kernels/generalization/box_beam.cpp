// The search for a lower upper bound: greedy cuts, and a beam over them that widens from round to round.
#include <algorithm>
#include <utility>

#include "generalization/box_solver.hpp"

namespace shoal {

namespace {

constexpr index_t kSolvedInBeam = 6;    // times the least size, in the first round
constexpr index_t kNodesInBeam = 2000;  // for each of these

}  // namespace

double BoxSolver::greedy(std::size_t depth, const KnownBox& box) {
    Best best = known_best(levels_[depth].box, box);
    if (!expand(depth, box.total)) return best.cost;
    const BoxKey kept = box.key - box.total.key;
    Best promise{kInfinity, {}};
    space_.splits(levels_[depth].box, [&](Split split) {
        double sum = 0.0;
        for (const Child& child : children(levels_[depth].box, kept, split)) {
            const double n = static_cast<double>(child.sum.n);
            const bool is_block = child.sum.n >= space_.problem().least;
            sum += is_block && space_.problem().loss == LossKind::discernibility ? n * n : child.lower;
        }
        promise.take(sum, split);
    });
    if (promise.split.column >= 0) {
        double sum = 0.0;
        for (const Child& child : children(levels_[depth].box, kept, promise.split))
            sum += upper_of(depth, promise.split.column, child);
        best.take(sum, promise.split);
    }
    remember(box, 0.0, best);
    return best.cost;
}

double BoxSolver::upper_of(std::size_t depth, index_t column, const Child& child) {
    if (child.is_exact) return child.lower;
    const BoxBounds* known = memory_->find(child.key, child.sum.n);
    if (known && known->upper < kInfinity) return known->upper;
    space_.enter(levels_[depth].box, column, child.part, level(depth + 1).box);
    return greedy(depth + 1, {child.sum, child.key});
}

// The best few splits of a box by what greedy cuts make of their parts, and of these again; small boxes are solved.
double BoxSolver::beam(std::size_t depth, const KnownBox& box, index_t round) {
    const BoxBounds* known = memory_->find(box.key, box.total.n);
    if (known && (known->is_exact() || known->round >= round)) return known->upper;
    if (!known || known->upper == kInfinity) greedy(depth, box);
    try_to_solve(depth, box, round);
    Best best = known_best(levels_[depth].box, box);
    known = memory_->find(box.key, box.total.n);
    if ((known && known->is_exact()) || is_stopped() || !expand(depth, box.total)) return best.cost;
    const BoxKey kept = box.key - box.total.key;
    auto promising = rollouts(depth, kept, round, best);
    for (std::size_t i = 0; i < promising.size() && !is_stopped(); ++i) {
        const Split split = promising[i].split;
        double sum = 0.0;
        for (const Child& child : children(levels_[depth].box, kept, split)) {
            if (!child.is_exact) space_.enter(levels_[depth].box, split.column, child.part, level(depth + 1).box);
            sum += child.is_exact ? child.lower : beam(depth + 1, {child.sum, child.key}, round);
        }
        best.take(sum, split);
    }
    remember(box, 0.0, best);
    if (!is_stopped()) memory_->at(box.key, box.total.n).round = static_cast<std::int32_t>(round);
    return best.cost;
}

// A box of few records, with boxes to look into that double from round to round.
void BoxSolver::try_to_solve(std::size_t depth, const KnownBox& box, index_t round) {
    const index_t effort = std::min<index_t>(round - 1, 20);
    if (box.total.n > (kSolvedInBeam << effort) * space_.problem().least) return;
    const index_t end = std::exchange(end_, std::min(end_, n_nodes_ + (kNodesInBeam << effort)));
    bool is_solved = false;
    solve(depth, box, known_best(levels_[depth].box, box).cost, is_solved);
    end_ = end;
}

// The cheapest splits first.
std::vector<BoxSolver::Candidate> BoxSolver::rollouts(std::size_t depth, const BoxKey& kept, index_t n_kept,
                                                      Best& best) {
    std::vector<Candidate> found;
    space_.splits(levels_[depth].box, [&](Split split) { found.push_back({0.0, split}); });
    for (Candidate& candidate : found) {
        for (const Child& child : children(levels_[depth].box, kept, candidate.split))
            candidate.cost += upper_of(depth, candidate.split.column, child);
        best.take(candidate.cost, candidate.split);
        if (is_stopped()) return {};
    }
    const auto by_cost = [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; };
    std::stable_sort(found.begin(), found.end(), by_cost);
    found.resize(std::min(found.size(), static_cast<std::size_t>(n_kept)));
    return found;
}

}  // namespace shoal
