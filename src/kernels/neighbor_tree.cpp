#include "neighbor_tree.hpp"

#include <limits>
#include <numeric>

namespace shoal {

namespace {

constexpr index_t kLeaf = 16;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr index_t kNone = std::numeric_limits<index_t>::max();

}  // namespace

NeighborTree::NeighborTree(Matrix X)
    : d_(X.d), values_(static_cast<std::size_t>(X.n) * X.d), record_at_(X.n), position_(X.n), leaf_of_(X.n),
      fitted_(2 * X.d) {
    std::iota(record_at_.begin(), record_at_.end(), 0);
    nodes_.reserve(4 * (X.n / kLeaf + 1));
    build(X, 0, X.n, -1);
}

// Halves the records at the median of the column of the widest range.
index_t NeighborTree::build(Matrix X, index_t begin, index_t size, index_t parent) {
    const auto node = static_cast<index_t>(nodes_.size());
    nodes_.push_back({begin, size, size, parent});
    boxes_.resize(boxes_.size() + 2 * d_);
    if (size <= kLeaf) {
        fill_leaf(X, nodes_[node]);
        for (index_t p = begin; p < begin + size; ++p) leaf_of_[record_at_[p]] = node;
        fit_to_leaf(node);
        return node;
    }
    std::fill(fitted_.begin(), fitted_.begin() + d_, kInfinity);
    std::fill(fitted_.begin() + d_, fitted_.end(), -kInfinity);
    for (index_t p = begin; p < begin + size; ++p)
        for (index_t j = 0; j < d_; ++j) {
            const double x = X.row(record_at_[p])[j];
            fitted_[j] = std::min(fitted_[j], x);
            fitted_[d_ + j] = std::max(fitted_[d_ + j], x);
        }
    index_t widest = 0;
    for (index_t j = 1; j < d_; ++j)
        if (fitted_[d_ + j] - fitted_[j] > fitted_[d_ + widest] - fitted_[widest]) widest = j;
    const auto first = record_at_.begin() + begin;
    std::nth_element(first, first + size / 2, first + size, [&](index_t a, index_t b) {
        return std::pair(X.row(a)[widest], a) < std::pair(X.row(b)[widest], b);
    });
    build(X, begin, size / 2, node);
    const index_t right = build(X, begin + size / 2, size - size / 2, node);
    nodes_[node].right = right;
    fit_to_children(node);
    return node;
}

void NeighborTree::fill_leaf(Matrix X, const Node& leaf) {
    double* values = values_.data() + leaf.begin * d_;
    for (index_t p = 0; p < leaf.size; ++p) {
        const index_t record = record_at_[leaf.begin + p];
        position_[record] = leaf.begin + p;
        for (index_t j = 0; j < d_; ++j) values[j * leaf.size + p] = X.row(record)[j];
    }
}

// The smallest box around the records left, and the lowest of them; whether they differ from those before.
bool NeighborTree::fit_to_leaf(index_t node) {
    Node& leaf = nodes_[node];
    const double* values = values_.data() + leaf.begin * d_;
    double* bounds = box(node);
    index_t lowest = kNone;
    for (index_t p = 0; p < leaf.n_left; ++p) lowest = std::min(lowest, record_at_[leaf.begin + p]);
    bool changed = leaf.lowest != lowest;
    leaf.lowest = lowest;
    for (index_t j = 0; j < d_; ++j) {
        double low = kInfinity, high = -kInfinity;
        for (index_t p = 0; p < leaf.n_left; ++p) {
            low = std::min(low, values[j * leaf.size + p]);
            high = std::max(high, values[j * leaf.size + p]);
        }
        changed |= bounds[j] != low || bounds[d_ + j] != high;
        bounds[j] = low;
        bounds[d_ + j] = high;
    }
    return changed;
}

bool NeighborTree::fit_to_children(index_t node) {
    const double* left = box(node + 1);
    const double* right = box(nodes_[node].right);
    double* bounds = box(node);
    const index_t lowest = std::min(nodes_[node + 1].lowest, nodes_[nodes_[node].right].lowest);
    bool changed = nodes_[node].lowest != lowest;
    nodes_[node].lowest = lowest;
    for (index_t j = 0; j < d_; ++j) {
        const double low = std::min(left[j], right[j]);
        const double high = std::max(left[d_ + j], right[d_ + j]);
        changed |= bounds[j] != low || bounds[d_ + j] != high;
        bounds[j] = low;
        bounds[d_ + j] = high;
    }
    return changed;
}

// The last record left in the leaf takes the place of the removed one.
void NeighborTree::remove(index_t record) {
    const index_t leaf_node = leaf_of_[record];
    Node& leaf = nodes_[leaf_node];
    double* values = values_.data() + leaf.begin * d_;
    const index_t hole = position_[record] - leaf.begin;
    const index_t last = leaf.n_left - 1;
    for (index_t j = 0; j < d_; ++j) values[j * leaf.size + hole] = values[j * leaf.size + last];
    record_at_[leaf.begin + hole] = record_at_[leaf.begin + last];
    position_[record_at_[leaf.begin + hole]] = leaf.begin + hole;
    for (index_t node = leaf_node; node >= 0; node = nodes_[node].parent) --nodes_[node].n_left;
    bool changed = fit_to_leaf(leaf_node);
    for (index_t node = leaf.parent; changed && node >= 0; node = nodes_[node].parent) changed = fit_to_children(node);
}

// No record in the box comes before it: rounding is monotone and the columns are added in the same order, so the distance
// to the box is never above that of a record inside.
Candidate NeighborTree::best_in(index_t node, const double* point) const {
    if (nodes_[node].n_left == 0) return {kInfinity, kNone};
    const double* bounds = boxes_.data() + 2 * node * d_;
    double distance = 0.0;
    for (index_t j = 0; j < d_; ++j) {
        const double outside = std::max({bounds[j] - point[j], point[j] - bounds[d_ + j], 0.0});
        distance += outside * outside;
    }
    return {distance, nodes_[node].lowest};
}

// The most promising box first; duplicates are told apart by their lowest record, so a heap of them costs no more.
void NeighborTree::nearest(const double* point, index_t count, std::vector<Candidate>& found) {
    found.clear();
    to_visit_.assign(1, {Candidate{0.0, -1}, 0});
    while (!to_visit_.empty()) {
        auto [best, node] = to_visit_.back();
        to_visit_.pop_back();
        if (static_cast<index_t>(found.size()) == count && !(best < found.front())) continue;
        while (nodes_[node].right >= 0) {
            index_t near = node + 1, far = nodes_[node].right;
            Candidate in_near = best_in(near, point), in_far = best_in(far, point);
            if (in_far < in_near) {
                std::swap(near, far);
                std::swap(in_near, in_far);
            }
            if (nodes_[far].n_left > 0) to_visit_.push_back({in_far, far});
            node = near;
        }
        look_in_leaf(nodes_[node], point, count, found);
    }
    std::sort_heap(found.begin(), found.end());
}

void NeighborTree::look_in_leaf(const Node& leaf, const double* point, index_t count, std::vector<Candidate>& found) {
    double distance[kLeaf] = {};
    const double* values = values_.data() + leaf.begin * d_;
    for (index_t j = 0; j < d_; ++j)
        for (index_t p = 0; p < leaf.n_left; ++p) {
            const double difference = values[j * leaf.size + p] - point[j];
            distance[p] += difference * difference;
        }
    for (index_t p = 0; p < leaf.n_left; ++p) keep_nearest(found, count, {distance[p], record_at_[leaf.begin + p]});
    n_looked_ += leaf.n_left;
}

}  // namespace shoal
