#include "common/nearest_lists.hpp"

#include <algorithm>

namespace shoal {

NearestLists::NearestLists(Matrix X, index_t length)
    : coded_(X), all_(coded_.points(), NeighborSearch::automatic), length_(length), lists_(X.n) {}

void NearestLists::lengthen(index_t record) {
    auto& list = lists_[record];
    const auto n = static_cast<index_t>(lists_.size()), size = static_cast<index_t>(list.size());
    Nearest nearest(std::min(n, std::max(length_, 2 * size)));
    all_.nearest_to(record, nearest);
    list = nearest.sorted();
}

}  // namespace shoal
