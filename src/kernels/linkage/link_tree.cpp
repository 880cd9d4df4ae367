#include "linkage/link_tree.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace shoal {

namespace {

constexpr index_t kLeaf = 32;  // points of a leaf at most, unless they are all alike

}  // namespace

LinkTree::LinkTree(Matrix X, Metric metric, const index_t* counts) : d_(X.d), metric_(std::move(metric)) {
    const std::vector<index_t> lowest = merge_equal(X);
    build(X, 0, n_points());
    std::vector<index_t> place_of(X.n);
    for (index_t at = 0; at < n_points(); ++at) place_of[order_[at]] = at;
    counts_.assign(n_points(), 0);
    place_.resize(X.n);
    for (index_t i = 0; i < X.n; ++i) counts_[place_[i] = place_of[lowest[i]]] += counts[i];
    columns_.resize(n_points() * d_);
    for (index_t at = 0; at < n_points(); ++at)
        for (index_t j = 0; j < d_; ++j) columns_[j * n_points() + at] = X.row(order_[at])[j];
}

// For every candidate the lowest that is equal to it; those are the points of the tree.
std::vector<index_t> LinkTree::merge_equal(Matrix X) {
    std::vector<index_t> sorted(X.n), lowest(X.n);
    std::iota(sorted.begin(), sorted.end(), index_t{0});
    std::sort(sorted.begin(), sorted.end(), [&](index_t a, index_t b) {
        const auto [one, other] = std::mismatch(X.row(a), X.row(a) + d_, X.row(b));
        return one == X.row(a) + d_ ? a < b : *one < *other;
    });
    for (const index_t i : sorted) {
        if (order_.empty() || !std::equal(X.row(i), X.row(i) + d_, X.row(order_.back()))) order_.push_back(i);
        lowest[i] = order_.back();
    }
    return lowest;
}

// Cuts the column that is widest by its weight at its median; lowest column and lowest candidate on ties.
index_t LinkTree::build(Matrix X, index_t begin, index_t end) {
    const index_t node = static_cast<index_t>(nodes_.size());
    nodes_.push_back({begin, end, -1, -1, false});
    boxes_.insert(boxes_.end(), X.row(order_[begin]), X.row(order_[begin]) + d_);
    boxes_.insert(boxes_.end(), X.row(order_[begin]), X.row(order_[begin]) + d_);
    double* lowest = boxes_.data() + 2 * d_ * node;
    double* highest = lowest + d_;
    for (index_t at = begin; at < end; ++at)
        for (index_t j = 0; j < d_; ++j) {
            lowest[j] = std::min(lowest[j], X.row(order_[at])[j]);
            highest[j] = std::max(highest[j], X.row(order_[at])[j]);
        }
    index_t column = -1;
    double widest = 0.0;
    for (index_t j = 0; j < d_; ++j) {
        const double width = metric_.term(j, highest[j] - lowest[j]);
        if (width > widest) widest = width, column = j;
    }
    nodes_[node].all_alike = column < 0;
    if (column < 0 || end - begin <= kLeaf) {
        std::sort(order_.begin() + begin, order_.begin() + end);
        return node;
    }
    const index_t middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](index_t a, index_t b) {
        return std::pair(X.row(a)[column], a) < std::pair(X.row(b)[column], b);
    });
    const index_t left = build(X, begin, middle), right = build(X, middle, end);
    nodes_[node].left = left;
    nodes_[node].right = right;
    return node;
}

std::vector<LinkTally> LinkTree::tally(Matrix records, const index_t* truth, index_t n_wanted) const {
    std::vector<LinkTally> tallies(records.n);
    for (index_t i = 0; i < records.n; ++i) {
        const double* point = records.row(i);
        if (truth[i] >= 0) {
            double distance = 0.0;
            for (index_t j = 0; j < d_; ++j) distance += metric_.term(j, value(j, place_[truth[i]]) - point[j]);
            tallies[i].to_truth = distance;
            tallies[i].fingerprint_of_truth = fingerprint(place_[truth[i]], point);
        }
        visit(0, point, n_wanted, tallies[i]);
    }
    return tallies;
}

// The distance to the box of a node, or a part of it that is above the limit already.
double LinkTree::least_distance(index_t node, const double* point, double limit) const {
    double total = 0.0;
    for (index_t j = 0; j < d_ && total <= limit; ++j)
        total += metric_.term(j, std::max({low(node)[j] - point[j], point[j] - high(node)[j], 0.0}));
    return total;
}

residue_t LinkTree::fingerprint(index_t place, const double* point) const {
    residue_t total = 0;
    for (index_t j = 0; j < d_; ++j) total = plus(total, metric_.fingerprint_term(j, value(j, place), point[j]));
    return total;
}

// The nearer half first: it shuts most of the other out.
void LinkTree::visit(index_t at, const double* point, index_t n_wanted, LinkTally& tally) const {
    const Node& node = nodes_[at];
    if (node.left < 0) {
        look_at(node, point, n_wanted, tally);
        return;
    }
    const double slack = metric_.slack(), limit = tally.limit(n_wanted, slack);
    const double to_left = least_distance(node.left, point, limit), to_right = least_distance(node.right, point, limit);
    const bool left_first = to_left <= to_right;
    const auto [near, far] = left_first ? std::pair(node.left, node.right) : std::pair(node.right, node.left);
    if (std::min(to_left, to_right) <= limit) visit(near, point, n_wanted, tally);
    if (std::max(to_left, to_right) <= tally.limit(n_wanted, slack)) visit(far, point, n_wanted, tally);
}

void LinkTree::look_at(const Node& leaf, const double* point, index_t n_wanted, LinkTally& tally) const {
    double distance[kLeaf] = {};
    const index_t size = leaf.all_alike ? 1 : leaf.end - leaf.begin;
    for (index_t j = 0; j < d_; ++j) {
        const double* column = columns_.data() + j * n_points() + leaf.begin;
        const double weight = metric_.weights[j];
        for (index_t p = 0; p < size; ++p) {
            const double difference = column[p] - point[j];
            distance[p] += difference * difference * weight;
        }
    }
    const auto counts = counts_.begin() + leaf.begin;
    const double slack = metric_.slack();
    for (index_t p = 0; p < size; ++p)
        if (distance[p] <= tally.limit(n_wanted, slack))
            tally.consider(distance[p], order_[leaf.begin + p],
                           leaf.all_alike ? std::accumulate(counts, counts_.begin() + leaf.end, index_t{0}) : counts[p],
                           slack, [&] { return fingerprint(leaf.begin + p, point); });
}

}  // namespace shoal
