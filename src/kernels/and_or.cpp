#include "and_or.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace shoal {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kPatience = 0.01;       // a split is followed until it costs this much more than the next best
constexpr index_t kSmall = 8;            // times the least size: such a box is solved at once
constexpr double kRise = 0.005;          // of the threshold over the bound, in proportion
constexpr double kShare = 0.05;          // or of the gap, if that is more
constexpr index_t kSolvedInBeam = 6;     // times the least size, in the first round
constexpr index_t kNodesInBeam = 2000;   // for each of these

// Parents before children, and these by their codes.
std::vector<index_t> in_preorder(const std::vector<index_t>& nodes) {
    const std::size_t n = nodes.size() / 5;
    std::vector<std::vector<index_t>> below(n);
    for (std::size_t i = 1; i < n; ++i) below[nodes[5 * i]].push_back(static_cast<index_t>(i));
    std::vector<index_t> place(n), waiting{0}, sorted(nodes.size());
    index_t next = 0;
    while (!waiting.empty()) {
        const index_t node = waiting.back();
        waiting.pop_back();
        place[node] = next;
        std::copy_n(nodes.begin() + 5 * node, 5, sorted.begin() + 5 * next);
        if (node > 0) sorted[5 * next] = place[nodes[5 * node]];
        ++next;
        waiting.insert(waiting.end(), below[node].rbegin(), below[node].rend());
    }
    return sorted;
}

}  // namespace

AndOr::AndOr(Problem problem, const std::int32_t* codes, const index_t* n, const double* floors, const index_t* counts,
             std::size_t n_cells, std::size_t n_bytes)
    : space_(std::move(problem)), memory_(n_bytes), lower_(0.0), upper_(kInfinity), known_(kInfinity),
      most_bytes_(n_bytes) {
    Level& root = level(0);
    root.box = space_.whole(codes, n, floors, counts, n_cells);
    total_ = space_.total(root.box);
    key_ = total_.key + space_.kept_key(root.box.box);
    lower_ = space_.at_least(total_);
}

AndOr::Level& AndOr::level(std::size_t depth) {
    while (levels_.size() <= depth) levels_.emplace_back();
    return levels_[depth];
}

void AndOr::know(double cost) { known_ = std::min(known_, cost); }

void AndOr::raise(index_t n_nodes) {
    end_ = n_nodes_ + n_nodes;
    while (!is_stopped() && lower_ < std::min(known_, upper_)) {
        const double limit = std::min(known_, upper_);
        if (threshold_ <= lower_) threshold_ = lower_ + std::max({1.0, kRise * lower_, kShare * (limit - lower_)});
        threshold_ = std::min(threshold_, limit);
        learn(solve(0, total_, key_, threshold_));
    }
}

// What the root has come to.
void AndOr::learn(double lower) {
    if (const Known* root = memory_.find(key_, total_.n)) {
        upper_ = std::min(upper_, root->upper);
        lower = std::max(lower, root->lower);
    }
    lower_ = std::min(std::max(lower_, lower), std::min(known_, upper_));
}

void AndOr::widen(index_t n_nodes) {
    end_ = n_nodes_ + n_nodes;
    while (!is_stopped() && lower_ < std::min(known_, upper_)) {
        beam(0, total_, key_);
        learn(0.0);
        if (!is_stopped()) ++round_;
    }
}

void AndOr::remember(const Key& key, index_t n, double lower, const Best& best) {
    Known& known = memory_.at(key, n);
    known.lower = std::max(known.lower, lower);
    if (best.cost < known.upper) {
        known.upper = best.cost;
        known.split = best.split;
    }
}

// As one block, or as it was cut before.
AndOr::Best AndOr::known_best(std::size_t depth, const Sum& total, const Key& key) {
    Best best{space_.loss(levels_[depth].box, total), {}};
    if (const Known* known = memory_.find(key, total.n)) best.take(known->upper, known->split);
    return best;
}

// Counts a box. False where there is no memory to go deeper.
bool AndOr::look_into(std::size_t depth, const Sum& total) {
    Counted& box = levels_[depth].box;
    ++n_nodes_;
    space_.count(box);
    if (total.n >= 3 * space_.problem().least) space_.join_inseparable(box);
    if (depth % 16 == 0) {
        n_bytes_ = 0;
        for (const Level& one : levels_) n_bytes_ += one.box.n_bytes();
        is_out_of_memory_ = is_out_of_memory_ || n_bytes_ > most_bytes_;
    }
    levels_[depth].candidates.clear();
    return !is_out_of_memory_;
}

// A part with records, and what is known of it.
AndOr::Child AndOr::child(const Counted& box, const Key& kept, index_t column, const Span& part, const Sum& sum) {
    Child child{part, sum, {}, 0.0, false};
    child.lower = space_.lower_bound(box, column, part, sum, child.is_exact);
    if (child.is_exact) return child;
    child.key = space_.part_key(box, kept, column, part, sum);
    if (const Known* known = memory_.find(child.key, sum.n)) {
        child.is_exact = known->is_exact();
        child.lower = child.is_exact ? known->upper : std::max(child.lower, known->lower);
    }
    return child;
}

std::vector<AndOr::Child> AndOr::children(std::size_t depth, const Key& kept, Split split) {
    std::vector<Child> found;
    const Counted& box = levels_[depth].box;
    space_.parts(box, split.column, split.at, [&](const Span& part) {
        const Sum sum = box.of(split.column, part);
        if (sum.n > 0) found.push_back(child(box, kept, split.column, part, sum));
    });
    return found;
}

double AndOr::bound(std::size_t depth, const Key& kept, Split split, bool& is_exact) {
    const Counted& box = levels_[depth].box;
    double bound = 0.0;
    space_.parts(box, split.column, split.at, [&](const Span& part) {
        const Sum sum = box.of(split.column, part);
        if (sum.n == 0) return;
        const Child one = child(box, kept, split.column, part, sum);
        bound += one.lower;
        is_exact = is_exact && one.is_exact;
    });
    return bound;
}

// Below `limit` the result is the optimum of the box; else the optimum is no less than the result.
double AndOr::solve(std::size_t depth, const Sum& total, const Key& key, double limit) {
    if (const Known* known = memory_.find(key, total.n))
        if (known->is_exact() || known->lower >= limit) return known->is_exact() ? known->upper : known->lower;
    if (total.n < kSmall * space_.problem().least) limit = kInfinity;
    Best best = known_best(depth, total, key);
    if (is_stopped() || !look_into(depth, total)) return 0.0;
    const Key kept = key - total.key;
    auto& open = level(depth).candidates;
    space_.splits(levels_[depth].box, [&](index_t column, index_t at) {
        const Split split{static_cast<std::int32_t>(column), static_cast<std::int32_t>(at)};
        bool is_exact = true;
        const double sum = bound(depth, kept, split, is_exact);
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
    return lower;
}

// Solves the parts of a split, small ones first, until their sum reaches `limit` or is exact.
double AndOr::advance(std::size_t depth, const Key& kept, Split split, double limit, bool& is_exact) {
    auto parts = children(depth, kept, split);
    double sum = 0.0;
    for (const Child& child : parts) sum += child.lower;
    std::stable_sort(parts.begin(), parts.end(), [](const Child& a, const Child& b) { return a.sum.n < b.sum.n; });
    for (Child& child : parts) {
        if (child.is_exact) continue;
        if (sum >= limit) break;
        space_.enter(levels_[depth].box, split.column, child.part, level(depth + 1).box);
        const double child_limit = limit - (sum - child.lower);
        const double found = solve(depth + 1, child.sum, child.key, child_limit);
        if (const Known* known = memory_.find(child.key, child.sum.n)) child.is_exact = known->is_exact();
        if (found > child.lower) {
            sum += found - child.lower;
            child.lower = found;
        }
        if (is_stopped()) break;
    }
    is_exact = std::all_of(parts.begin(), parts.end(), [](const Child& child) { return child.is_exact; });
    return sum;
}

// What one cut after the other comes to, each the one whose parts promise most; remembered.
double AndOr::greedy(std::size_t depth, const Sum& total, const Key& key) {
    Best best = known_best(depth, total, key);
    if (!look_into(depth, total)) return best.cost;
    const Key kept = key - total.key;
    Best promise{kInfinity, {}};
    space_.splits(levels_[depth].box, [&](index_t column, index_t at) {
        const Split split{static_cast<std::int32_t>(column), static_cast<std::int32_t>(at)};
        double sum = 0.0;
        for (const Child& child : children(depth, kept, split)) {
            const double n = static_cast<double>(child.sum.n);
            sum += space_.problem().loss == Loss::discernibility ? n * n : child.lower;
        }
        promise.take(sum, split);
    });
    if (promise.split.column >= 0) {
        double sum = 0.0;
        for (const Child& child : children(depth, kept, promise.split)) {
            if (child.is_exact) {
                sum += child.lower;
                continue;
            }
            sum += upper_of(depth, promise.split.column, child);
        }
        best.take(sum, promise.split);
    }
    remember(key, total.n, 0.0, best);
    return best.cost;
}

double AndOr::upper_of(std::size_t depth, index_t column, const Child& child) {
    if (child.is_exact) return child.lower;
    const Known* known = memory_.find(child.key, child.sum.n);
    if (known && known->upper < kInfinity) return known->upper;
    space_.enter(levels_[depth].box, column, child.part, level(depth + 1).box);
    return greedy(depth + 1, child.sum, child.key);
}

double AndOr::beam(std::size_t depth, const Sum& total, const Key& key) {
    if (const Known* known = memory_.find(key, total.n))
        if (known->is_exact() || known->round >= round_) return known->upper;
    if (const Known* known = memory_.find(key, total.n); !known || known->upper == kInfinity) greedy(depth, total, key);
    const index_t effort = std::min<index_t>(round_ - 1, 20);
    if (total.n <= (kSolvedInBeam << effort) * space_.problem().least) {
        const index_t end = std::exchange(end_, std::min(end_, n_nodes_ + (kNodesInBeam << effort)));
        solve(depth, total, key, known_best(depth, total, key).cost);
        end_ = end;
    }
    Best best = known_best(depth, total, key);
    const Known* known = memory_.find(key, total.n);
    if ((known && known->is_exact()) || is_stopped() || !look_into(depth, total)) return best.cost;
    const Key kept = key - total.key;
    std::vector<Candidate> found;
    space_.splits(levels_[depth].box, [&](index_t column, index_t at) {
        found.push_back({0.0, {static_cast<std::int32_t>(column), static_cast<std::int32_t>(at)}});
    });
    for (Candidate& candidate : found) {
        for (const Child& child : children(depth, kept, candidate.split))
            candidate.cost += upper_of(depth, candidate.split.column, child);
        best.take(candidate.cost, candidate.split);
        if (is_stopped()) break;
    }
    if (!is_stopped()) {
        std::stable_sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
        found.resize(std::min(found.size(), static_cast<std::size_t>(round_)));
        for (const Candidate& candidate : found) {
            double sum = 0.0;
            for (const Child& child : children(depth, kept, candidate.split)) {
                if (child.is_exact) {
                    sum += child.lower;
                    continue;
                }
                space_.enter(levels_[depth].box, candidate.split.column, child.part, level(depth + 1).box);
                sum += beam(depth + 1, child.sum, child.key);
            }
            best.take(sum, candidate.split);
            if (is_stopped()) break;
        }
    }
    remember(key, total.n, 0.0, best);
    if (!is_stopped()) memory_.at(key, total.n).round = static_cast<std::int32_t>(round_);
    return best.cost;
}

std::vector<index_t> AndOr::tree() {
    std::vector<index_t> nodes{-1, -1, 0, 0, 0};
    Box told;
    for (const Attribute& attribute : space_.problem().attributes) told.push_back({0, attribute.n_codes(), 0});
    tell(0, total_, key_, std::move(told), 0, nodes);
    return in_preorder(nodes);
}

void AndOr::tell(std::size_t depth, const Sum& total, const Key& key, Box told, index_t node, std::vector<index_t>& nodes) {
    const Best best = known_best(depth, total, key);
    const bool is_block = best.split.column < 0;
    const Box& box = levels_[depth].box.box;
    for (index_t column = 0; column < space_.n_attributes(); ++column)
        if (is_block || column == best.split.column) node = tell_down(depth, column, is_block, told, node, nodes);
    if (is_block) return;
    space_.count(levels_[depth].box);
    const index_t column = best.split.column;
    const auto found = children(depth, key - total.key, best.split);
    std::size_t next = 0;
    space_.parts(levels_[depth].box, column, best.split.at, [&](Span part) {
        const bool is_filled = next < found.size() && found[next].part.start == part.start;
        if (part.start == box[column].start) part.start = told[column].start;  // what was shrunk belongs to the ends
        if (part.stop == box[column].stop) part.stop = told[column].stop;
        const auto child = static_cast<index_t>(nodes.size() / 5);
        nodes.insert(nodes.end(), {node, column, part.start, part.stop, part.node});
        if (!is_filled) return;
        const Child& one = found[next++];
        Box told_of_child = told;
        told_of_child[column] = part;
        space_.enter(levels_[depth].box, column, one.part, level(depth + 1).box);
        tell(depth + 1, one.sum, one.key, std::move(told_of_child), child, nodes);
    });
}

// Cuts off what has no records: down to the node that is cut next, and of a block wherever its extent counts.
index_t AndOr::tell_down(std::size_t depth, index_t column, bool is_block, Box& told, index_t node,
                         std::vector<index_t>& nodes) {
    const Attribute& attribute = space_.problem().attributes[column];
    const Span& box = levels_[depth].box.box[column];
    if (space_.problem().keeps[column]) return node;
    const auto add = [&](const Span& part) {
        nodes.insert(nodes.end(), {node, column, part.start, part.stop, part.node});
        return static_cast<index_t>(nodes.size() / 5) - 1;
    };
    while (attribute.rule[told[column].node] == Rule::all && told[column].node != box.node) {
        index_t inside = -1;
        Span below{};
        const index_t above = told[column].node, first = attribute.first_child[above];
        for (index_t child = first; child < first + attribute.n_children[above]; ++child) {
            const Span part{attribute.start[child], attribute.stop[child], child};
            const index_t added = add(part);
            if (part.start <= box.start && box.stop <= part.stop) {
                inside = added;
                below = part;
            }
        }
        node = inside;
        told[column] = below;
    }
    Span& line = told[column];
    if (!is_block || !space_.reads_extents() || attribute.rule[line.node] != Rule::line) return node;
    if (line.start < box.start) {
        add({line.start, box.start, line.node});
        node = add({box.start, line.stop, line.node});
    }
    if (box.stop < line.stop) {
        const index_t inside = add({box.start, box.stop, line.node});
        add({box.stop, line.stop, line.node});
        node = inside;
    }
    line = box;
    return node;
}

}  // namespace shoal
