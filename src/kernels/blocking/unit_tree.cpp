#include "blocking/unit_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace shoal {

namespace {

constexpr index_t kLeaf = 8;

}  // namespace

UnitTree::UnitTree(Matrix units)
    : n_(units.n), d_(units.d), order_(units.n), place_(units.n), points_(units.n * units.d) {
    std::iota(order_.begin(), order_.end(), index_t{0});
    build(units, 0, n_);
    for (index_t at = 0; at < n_; ++at) {
        place_[order_[at]] = at;
        std::copy_n(units.row(order_[at]), d_, points_.data() + at * d_);
    }
}

// Cuts the widest column at its median; lowest column and lowest unit on ties.
index_t UnitTree::build(Matrix units, index_t begin, index_t end) {
    const index_t node = static_cast<index_t>(nodes_.size());
    nodes_.push_back({begin, end, -1, -1});
    boxes_.resize(boxes_.size() + 2 * d_);
    double* lowest = boxes_.data() + 2 * d_ * node;
    double* highest = lowest + d_;
    index_t column = -1;
    double widest = 0.0;
    for (index_t j = 0; j < d_; ++j) {
        lowest[j] = highest[j] = units.row(order_[begin])[j];
        for (index_t at = begin; at < end; ++at) {
            lowest[j] = std::min(lowest[j], units.row(order_[at])[j]);
            highest[j] = std::max(highest[j], units.row(order_[at])[j]);
        }
        if (highest[j] - lowest[j] > widest) widest = highest[j] - lowest[j], column = j;
    }
    if (end - begin <= kLeaf || column < 0) return node;

    const auto before = [&](index_t a, index_t b) {
        return std::pair(units.row(a)[column], a) < std::pair(units.row(b)[column], b);
    };
    const index_t middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, before);
    const index_t left = build(units, begin, middle), right = build(units, middle, end);
    nodes_[node].left = left;
    nodes_[node].right = right;
    return node;
}

std::vector<index_t> UnitTree::nearest(Matrix X, const index_t* hints) const {
    std::vector<index_t> found(X.n);
    for (index_t i = 0; i < X.n; ++i) {
        Place best{distance(X.row(i), place_[hints[i]]), hints[i]};
        look(X.row(i), 0, -1, best);
        found[i] = best.second;
    }
    return found;
}

std::vector<index_t> UnitTree::nearest_but(Matrix X, const index_t* excluded) const {
    std::vector<index_t> found(X.n);
    for (index_t i = 0; i < X.n; ++i) {
        Place best{std::numeric_limits<double>::infinity(), n_};
        look(X.row(i), 0, excluded[i], best);
        found[i] = best.second;
    }
    return found;
}

// Boxes round as distances do, so a box is never farther than a unit in it; one as far may hold a lower unit.
void UnitTree::look(const double* x, index_t at, index_t excluded, Place& best) const {
    const Node& node = nodes_[at];
    if (node.left < 0) {
        for (index_t place = node.begin; place < node.end; ++place)
            if (order_[place] != excluded) best = std::min(best, {distance(x, place), order_[place]});
        return;
    }
    Place near{distance_to_box(x, node.left), node.left}, far{distance_to_box(x, node.right), node.right};
    if (far < near) std::swap(near, far);
    if (near.first <= best.first) look(x, near.second, excluded, best);
    if (far.first <= best.first) look(x, far.second, excluded, best);
}

double UnitTree::distance(const double* x, index_t place) const {
    const double* unit = points_.data() + place * d_;
    double sum = 0.0;
    for (index_t j = 0; j < d_; ++j) {
        const double gap = x[j] - unit[j];
        sum += std::isnan(gap) ? 0.0 : gap * gap;
    }
    return sum;
}

double UnitTree::distance_to_box(const double* x, index_t node) const {
    const double* lowest = boxes_.data() + 2 * d_ * node;
    const double* highest = lowest + d_;
    double sum = 0.0;
    for (index_t j = 0; j < d_; ++j) {
        const double below = lowest[j] - x[j], above = x[j] - highest[j];    // at most one of them is positive
        const double gap = below > 0.0 ? below : above > 0.0 ? above : 0.0;  // no comparison holds of NaN
        sum += gap * gap;
    }
    return sum;
}

}  // namespace shoal
