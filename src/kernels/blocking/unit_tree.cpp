#include "blocking/unit_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal {

namespace {

constexpr index_t kUnitLeaf = 8;

}  // namespace

UnitTree::UnitTree(Matrix units)
    : n_(units.n), d_(units.d), tree_(units, all_records(n_), kUnitLeaf, [](index_t, double extent) { return extent; }),
      place_(tree_.places(n_)), points_(tree_.points(units)) {}

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
    const KdTree::Node& node = tree_.node(at);
    if (node.left < 0) {
        for (index_t place = node.begin; place < node.end; ++place)
            if (const index_t unit = tree_.order()[place]; unit != excluded)
                best = std::min(best, {distance(x, place), unit});
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
    const double *lowest = tree_.low(node), *highest = tree_.high(node);
    double sum = 0.0;
    for (index_t j = 0; j < d_; ++j) {
        const double below = lowest[j] - x[j], above = x[j] - highest[j];    // at most one of them is positive
        const double gap = below > 0.0 ? below : above > 0.0 ? above : 0.0;  // no comparison holds of NaN
        sum += gap * gap;
    }
    return sum;
}

}  // namespace shoal
