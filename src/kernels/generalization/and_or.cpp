#include "generalization/and_or.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace shoal {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kOften = 0.1;          // share of boxes that were expanded before
constexpr double kSeldom = 0.04;        // a share, too
constexpr double kPatience = 0.01;      // a split is followed until it costs this much more than the next best
constexpr index_t kWindow = 2048;       // boxes between two changes of the size up to which boxes are solved at once
constexpr double kRise = 0.005;         // of the threshold over the bound, in proportion
constexpr double kShare = 0.05;         // or of the gap, if that is more
constexpr std::size_t kDeepest = 4000;  // depth of nested boxes; fewer than one call expands, or no call would finish

}  // namespace

AndOr::AndOr(Problem problem, const CellArrays& cells, std::size_t n_bytes)
    : space_(std::move(problem)), code_merger_(space_.problem()), memory_(n_bytes), lower_(0.0), upper_(kInfinity),
      incumbent_(kInfinity), small_(4.0 * static_cast<double>(space_.problem().least)), max_bytes_(n_bytes) {
    whole_ = level(0).box = space_.whole(cells);
    total_ = space_.total(whole_);
    key_ = total_.key + space_.kept_key(whole_.box);
    lower_ = space_.at_least(total_);
}

AndOr::Level& AndOr::level(std::size_t depth) {
    while (levels_.size() <= depth) levels_.emplace_back();
    return levels_[depth];
}

void AndOr::set_upper(double cost) { incumbent_ = std::min(incumbent_, cost); }

void AndOr::prove(index_t n_nodes) {
    end_ = n_nodes_ + n_nodes;
    while (!is_stopped() && lower_ < std::min(incumbent_, upper_)) {
        const double limit = std::min(incumbent_, upper_);
        if (threshold_ <= lower_) threshold_ = lower_ + std::max({1.0, kRise * lower_, kShare * (limit - lower_)});
        threshold_ = std::min(threshold_, limit);
        bool is_solved = false;
        update_bounds(solve(0, total_, key_, threshold_, is_solved));
    }
}

// Updates the bounds of the whole by those of the root.
void AndOr::update_bounds(double lower) {
    if (const BoxBounds* root = memory_.find(key_, total_.n)) {
        upper_ = std::min(upper_, root->upper);
        lower = std::max(lower, root->lower);
    }
    lower_ = std::min(std::max(lower_, lower), std::min(incumbent_, upper_));
}

void AndOr::improve(index_t n_nodes) {
    end_ = n_nodes_ + n_nodes;
    while (!is_stopped() && lower_ < std::min(incumbent_, upper_)) {
        beam(0, total_, key_);
        update_bounds(0.0);
        if (!is_stopped()) ++round_;
    }
}

void AndOr::remember(const BoxKey& key, index_t n, double lower, const Best& best) {
    BoxBounds& known = memory_.at(key, n);
    known.lower = std::max(known.lower, lower);
    if (best.cost < known.upper) {
        known.upper = best.cost;
        known.split = best.split;
    }
}

// As one block, or as it was cut before.
AndOr::Best AndOr::known_best(const BoxCounts& box, const Sum& total, const BoxKey& key) {
    Best best{space_.loss(box, total), {}};
    if (const BoxBounds* known = memory_.find(key, total.n)) best.take(known->upper, known->split);
    return best;
}

// Counts a box. False where there is no memory to go deeper.
bool AndOr::expand(std::size_t depth, const Sum& total) {
    BoxCounts& box = levels_[depth].box;
    ++n_nodes_;
    space_.count(box);
    if (total.n >= 3 * space_.problem().least) code_merger_.join(box);
    if (depth % 16 == 0) {
        std::size_t n_bytes = 0;
        for (const Level& one : levels_) n_bytes += one.box.n_bytes();
        is_out_of_memory_ = is_out_of_memory_ || n_bytes > max_bytes_ || depth > kDeepest;
    }
    levels_[depth].candidates.clear();
    return !is_out_of_memory_;
}

// The parts with records, and what is known of them. All keys are prefetched before the first is read.
std::vector<AndOr::Child> AndOr::children(const BoxCounts& box, const BoxKey& kept, Split split) {
    std::vector<Child> found;
    found.reserve(8);
    space_.parts(box, split.column, split.at, [&](const Span& part) {
        const Sum sum = box.of(split.column, part);
        if (sum.n == 0) return;
        Child child{part, sum, space_.part_key(box, kept, split.column, part, sum), 0.0, false};
        child.lower = space_.lower_bound(box, split.column, part, sum, child.is_exact);
        if (!child.is_exact) memory_.prefetch(child.key);
        found.push_back(child);
    });
    for (Child& child : found) {
        const BoxBounds* known = child.is_exact ? nullptr : memory_.find(child.key, child.sum.n);
        if (!known) continue;
        child.is_exact = known->is_exact();
        child.lower = child.is_exact ? known->upper : std::max(child.lower, known->lower);
    }
    return found;
}

// Of a split, by its counts alone: stored bounds of its parts are read only when it is expanded.
double AndOr::bound(std::size_t depth, Split split, bool& is_exact) {
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

// Adapts the size up to which boxes are solved at once: it grows where boxes are often expanded again, and shrinks where
// thresholds keep the search out of most boxes.
void AndOr::adapt_small(bool is_new) {
    n_new_ += is_new;
    if (++n_watched_ < kWindow) return;
    const auto least = static_cast<double>(space_.problem().least);
    const double again = static_cast<double>(n_watched_ - n_new_) / static_cast<double>(n_watched_);
    if (again > kOften) small_ = std::min(small_ * 1.5, 2 * static_cast<double>(total_.n));
    if (again < kSeldom) small_ = std::max(small_ / 1.5, 3 * least);
    n_watched_ = n_new_ = 0;
}

// Below `limit` the result is the optimum of the box; else the optimum is no less than the result.
double AndOr::solve(std::size_t depth, const Sum& total, const BoxKey& key, double limit, bool& is_solved) {
    Best best{space_.loss(levels_[depth].box, total), {}};
    const BoxBounds* known = memory_.find(key, total.n);
    if (known) {
        is_solved = known->is_exact();
        if (is_solved || known->lower >= limit) return is_solved ? known->upper : known->lower;
        best.take(known->upper, known->split);
    }
    if (is_stopped()) return 0.0;
    if (static_cast<double>(total.n) < small_) limit = kInfinity;
    adapt_small(known == nullptr);
    if (!expand(depth, total)) return 0.0;
    const BoxKey kept = key - total.key;
    auto& open = level(depth).candidates;
    space_.splits(levels_[depth].box, [&](Split split) {
        bool is_exact = true;
        const double sum = bound(depth, split, is_exact);
        if (is_exact)
            best.take(sum, split);
        else
            open.push_back({sum, split});
    });
    const auto later = [](const Candidate& a, const Candidate& b) { return a.cost > b.cost; };
    std::make_heap(open.begin(), open.end(), later);
    while (!open.empty() && open.front().cost < std::min(best.cost, limit)) {
        std::pop_heap(open.begin(), open.end(), later);
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
            levels_[depth].candidates.push_back(next);
            std::push_heap(open.begin(), open.end(), later);
            if (is_stopped()) break;
        }
    }
    const double lower = open.empty() ? best.cost : std::min(best.cost, open.front().cost);
    remember(key, total.n, lower, best);
    is_solved = lower >= best.cost;
    return lower;
}

// Solves the parts of a split, small ones first, until their sum reaches `limit` or is exact.
double AndOr::advance(std::size_t depth, const BoxKey& kept, Split split, double limit, bool& is_exact) {
    auto parts = children(levels_[depth].box, kept, split);
    double sum = 0.0;
    for (const Child& child : parts) sum += child.lower;
    std::sort(parts.begin(), parts.end(), [](const Child& a, const Child& b) {
        return a.sum.n != b.sum.n ? a.sum.n < b.sum.n : a.part.start < b.part.start;
    });
    for (Child& child : parts) {
        if (child.is_exact) continue;
        if (sum >= limit) break;
        space_.enter(levels_[depth].box, split.column, child.part, level(depth + 1).box);
        const double child_limit = limit - (sum - child.lower);
        const double found = solve(depth + 1, child.sum, child.key, child_limit, child.is_exact);
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
