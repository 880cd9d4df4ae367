// The search for a lower upper bound: greedy cuts, and a beam over them that widens from round to round.
#include <algorithm>
#include <limits>
#include <utility>

#include "generalization/and_or.hpp"

namespace shoal {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr index_t kSolvedInBeam = 6;    // times the least size, in the first round
constexpr index_t kNodesInBeam = 2000;  // for each of these

}  // namespace

// The cost of greedy cuts, each the one whose parts have the lowest sum; it is stored.
double AndOr::greedy(std::size_t depth, const Sum& total, const BoxKey& key) {
    Best best = known_best(levels_[depth].box, total, key);
    if (!expand(depth, total)) return best.cost;
    const BoxKey kept = key - total.key;
    Best promise{kInfinity, {}};
    space_.splits(levels_[depth].box, [&](Split split) {
        double sum = 0.0;
        for (const Child& child : children(levels_[depth].box, kept, split)) {
            const double n = static_cast<double>(child.sum.n);
            sum += space_.problem().loss == LossKind::discernibility ? n * n : child.lower;
        }
        promise.take(sum, split);
    });
    if (promise.split.column >= 0) {
        double sum = 0.0;
        for (const Child& child : children(levels_[depth].box, kept, promise.split))
            sum += upper_of(depth, promise.split.column, child);
        best.take(sum, promise.split);
    }
    remember(key, total.n, 0.0, best);
    return best.cost;
}

double AndOr::upper_of(std::size_t depth, index_t column, const Child& child) {
    if (child.is_exact) return child.lower;
    const BoxBounds* known = memory_.find(child.key, child.sum.n);
    if (known && known->upper < kInfinity) return known->upper;
    space_.enter(levels_[depth].box, column, child.part, level(depth + 1).box);
    return greedy(depth + 1, child.sum, child.key);
}

// The best few splits of a box by what greedy cuts make of their parts, and of these again; small boxes are solved.
double AndOr::beam(std::size_t depth, const Sum& total, const BoxKey& key) {
    const BoxBounds* known = memory_.find(key, total.n);
    if (known && (known->is_exact() || known->round >= round_)) return known->upper;
    if (!known || known->upper == kInfinity) greedy(depth, total, key);
    try_to_solve(depth, total, key);
    Best best = known_best(levels_[depth].box, total, key);
    known = memory_.find(key, total.n);
    if ((known && known->is_exact()) || is_stopped() || !expand(depth, total)) return best.cost;
    const BoxKey kept = key - total.key;
    auto promising = rollouts(depth, kept, best);
    for (std::size_t i = 0; i < promising.size() && !is_stopped(); ++i) {
        const Split split = promising[i].split;
        double sum = 0.0;
        for (const Child& child : children(levels_[depth].box, kept, split)) {
            if (!child.is_exact) space_.enter(levels_[depth].box, split.column, child.part, level(depth + 1).box);
            sum += child.is_exact ? child.lower : beam(depth + 1, child.sum, child.key);
        }
        best.take(sum, split);
    }
    remember(key, total.n, 0.0, best);
    if (!is_stopped()) memory_.at(key, total.n).round = static_cast<std::int32_t>(round_);
    return best.cost;
}

// A box of few records, with boxes to look into that double from round to round.
void AndOr::try_to_solve(std::size_t depth, const Sum& total, const BoxKey& key) {
    const index_t effort = std::min<index_t>(round_ - 1, 20);
    if (total.n > (kSolvedInBeam << effort) * space_.problem().least) return;
    const index_t end = std::exchange(end_, std::min(end_, n_nodes_ + (kNodesInBeam << effort)));
    bool is_solved = false;
    solve(depth, total, key, known_best(levels_[depth].box, total, key).cost, is_solved);
    end_ = end;
}

// As many splits as the round has a number, the cheapest first.
std::vector<AndOr::Candidate> AndOr::rollouts(std::size_t depth, const BoxKey& kept, Best& best) {
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
    found.resize(std::min(found.size(), static_cast<std::size_t>(round_)));
    return found;
}

}  // namespace shoal
