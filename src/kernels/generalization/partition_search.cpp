#include "generalization/partition_search.hpp"

#include <algorithm>
#include <utility>

namespace shoal {

void PartitionSearch::enter(index_t box, BoxEntry entry) {
    if (box >= static_cast<index_t>(boxes_.size())) boxes_.resize(static_cast<std::size_t>(box) + 1);
    boxes_[box] = std::move(entry);
    boxes_[box].is_known = true;
}

void PartitionSearch::start() { consider(boxes_[0].cost, boxes_[0].floor, 0, {}); }

void PartitionSearch::start_below(double cost) {
    cost_ = cost;
    has_best_ = false;
    optima_.clear();
}

std::vector<index_t> PartitionSearch::step(index_t n_nodes, index_t max_size) {
    std::vector<index_t> unknown;
    for (index_t done = 0; done < n_nodes && !heap_.empty() && n_waiting() < max_size;) {
        if (may_improve(heap_.front().bound)) {
            find_open(heap_.front().tree);
            for (const Leaf& leaf : open_)
                if (leaf.box >= static_cast<index_t>(boxes_.size()) || !boxes_[leaf.box].is_known)
                    unknown.push_back(leaf.box);
            if (!unknown.empty()) return unknown;
            ++done;
            ++n_nodes_;
        } else {
            open_.clear();
        }
        std::pop_heap(heap_.begin(), heap_.end(), is_later);
        const OpenPartition one = std::move(heap_.back());
        heap_.pop_back();
        if (!open_.empty()) expand(one);
    }
    return unknown;
}

// The closed leaves are settled; of the open ones those before the split become so, and those after it may still be split.
void PartitionSearch::expand(const OpenPartition& one) {
    double after = 0.0;
    for (const Leaf& leaf : open_) after += boxes_[leaf.box].floor;
    double settled = one.bound - after;
    for (std::size_t at = 0; at < open_.size(); ++at) {
        const BoxEntry& entry = boxes_[open_[at].box];
        after -= entry.floor;
        for (std::size_t c = 0; c < entry.splits.size(); ++c) {
            const double bound = settled + entry.floors[c] + after;
            if (open_[at].forbidden[static_cast<std::size_t>(entry.splits[c])] || !may_improve(bound)) continue;
            PartitionTree tree;
            tree.reserve(one.tree.size() + at + 1);
            tree = one.tree;
            tree.insert(tree.end(), at, std::int16_t{-1});
            tree.push_back(static_cast<std::int16_t>(entry.splits[c]));
            consider(one.cost - entry.cost + entry.costs[c], bound, one.n_splits + 1, std::move(tree));
        }
        settled += entry.cost;
    }
}

void PartitionSearch::consider(double cost, double bound, index_t n_splits, PartitionTree tree) {
    if (cost < cost_) {
        cost_ = cost;
        best_ = tree;
        has_best_ = true;
        optima_.clear();
    }
    if (rules_.ties && cost == cost_) optima_.push_back(tree);
    if (rules_.approximation > 1.0 && cost <= rules_.approximation * bound) {
        least_left_out_ = std::min(least_left_out_, bound);
        return;
    }
    heap_.push_back({key_of(cost, bound, n_splits), cost, next_number_++, bound, static_cast<std::int32_t>(n_splits),
                     std::move(tree)});
    std::push_heap(heap_.begin(), heap_.end(), is_later);
}

double PartitionSearch::key_of(double cost, double bound, index_t n_splits) const {
    switch (rules_.key) {
        case SearchKey::bound: return bound;
        case SearchKey::cost: return cost;
        case SearchKey::ratio: return cost > 0.0 ? bound / cost : 1.0;
        default: return rules_.own(cost, bound, n_splits);
    }
}

// The boxes of the leaves behind the last split, from left to right, and what is forbidden at each.
void PartitionSearch::find_open(const PartitionTree& tree) {
    open_.clear();
    path_.clear();
    Leaf at{0, {}};
    for (const std::int16_t split : tree) {
        if (split < 0) {
            complete_leaf();
        } else {
            index_t n = 0;
            const index_t* boxes = children(at.box, split, n);
            path_.push_back({split, boxes, n, at.forbidden});
        }
        at = {path_.back().children[path_.back().visited], sequence_.forbidden(path_.back())};
    }
    if (tree.empty()) open_.push_back(at);
    for (std::size_t depth = path_.size(); depth-- > 0;) {
        Visit& node = path_[depth];
        for (; !node.is_done(); node.add({})) open_.push_back({node.children[node.visited], sequence_.forbidden(node)});
        if (depth) path_[depth - 1].add(sequence_.cuts(node));
    }
}

// A leaf was visited, and with it perhaps the last child of nodes above.
void PartitionSearch::complete_leaf() {
    SplitBits cuts;
    for (path_.back().add(cuts); path_.back().is_done(); path_.back().add(cuts)) {
        cuts = sequence_.cuts(path_.back());
        path_.pop_back();
    }
}

const index_t* PartitionSearch::children(index_t box, index_t split, index_t& n) const {
    const BoxEntry& entry = boxes_[box];
    const auto at = std::lower_bound(entry.splits.begin(), entry.splits.end(), split) - entry.splits.begin();
    n = entry.begin[at + 1] - entry.begin[at];
    return entry.parts.data() + entry.begin[at];
}

double PartitionSearch::lower_bound() const {
    double least = std::min(cost_, least_left_out_);
    if (rules_.key == SearchKey::bound) return heap_.empty() ? least : std::min(least, heap_.front().bound);
    for (const OpenPartition& one : heap_) least = std::min(least, one.bound);
    return least;
}

void PartitionSearch::keep_promising() {
    std::erase_if(heap_, [&](const OpenPartition& one) { return !may_improve(one.bound); });
    std::make_heap(heap_.begin(), heap_.end(), is_later);
}

void PartitionSearch::drop(index_t n_kept) {
    if (n_waiting() <= n_kept) return;
    std::sort(heap_.begin(), heap_.end(),
              [](const OpenPartition& a, const OpenPartition& b) { return is_later(b, a); });
    for (auto one = heap_.begin() + n_kept; one != heap_.end(); ++one)
        least_left_out_ = std::min(least_left_out_, one->bound);
    n_dropped_ += n_waiting() - n_kept;
    heap_.erase(heap_.begin() + n_kept, heap_.end());
    std::make_heap(heap_.begin(), heap_.end(), is_later);
}

std::vector<PartitionTree> PartitionSearch::first(index_t n) const {
    std::vector<const OpenPartition*> order;
    order.reserve(heap_.size());
    for (const OpenPartition& one : heap_) order.push_back(&one);
    const auto end = order.begin() + std::min<index_t>(n, n_waiting());
    std::partial_sort(order.begin(), end, order.end(), [](auto* a, auto* b) { return is_later(*b, *a); });
    std::vector<PartitionTree> found;
    for (auto one = order.begin(); one != end; ++one) found.push_back((*one)->tree);
    return found;
}

}  // namespace shoal
