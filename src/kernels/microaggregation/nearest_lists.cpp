#include "microaggregation/nearest_lists.hpp"

#include <algorithm>
#include <numeric>

namespace shoal {

namespace {

// (n,) The same number for records with equal rows.
std::vector<index_t> number_points(Matrix cells) {
    std::vector<index_t> order(cells.n), point_of(cells.n);
    std::iota(order.begin(), order.end(), 0);
    const auto is_before = [&](index_t a, index_t b) {
        return std::lexicographical_compare(cells.row(a), cells.row(a) + cells.d, cells.row(b), cells.row(b) + cells.d);
    };
    std::sort(order.begin(), order.end(), is_before);
    for (index_t i = 1; i < cells.n; ++i)
        point_of[order[i]] = point_of[order[i - 1]] + (is_before(order[i - 1], order[i]) ? 1 : 0);
    return point_of;
}

}  // namespace

NearestLists::NearestLists(Matrix X, index_t length)
    : coded_(X), all_(coded_.points(), NeighborSearch::automatic), length_(length),
      point_of_(number_points(coded_.points().cells)), lists_(X.n) {}

void NearestLists::lengthen(index_t record) {
    auto& list = lists_[point_of_[record]];
    const auto n = static_cast<index_t>(lists_.size()), size = static_cast<index_t>(list.size());
    Nearest nearest(std::min(n, std::max(length_, 2 * size)));
    all_.nearest_to(record, nearest);
    list = nearest.sorted();
}

}  // namespace shoal
