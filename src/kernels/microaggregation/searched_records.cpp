#include "microaggregation/searched_records.hpp"

#include <algorithm>

namespace shoal {

SearchedRecords::SearchedRecords(Matrix X, index_t k, NeighborSearch search)
    : coded_(X), left_(coded_.points(), search), around_(k), next_two_(2), next_one_(1) {}

const std::vector<Candidate>& SearchedRecords::nearest_to(index_t record) {
    reach_.clear();
    around_.clear();
    left_.nearest_to(record, around_);
    return around_.sorted();
}

Candidate SearchedRecords::nearest_to_group(const std::vector<index_t>& group) {
    for (std::size_t m = 0; m < group.size(); ++m) {
        if (m < reach_.size() && left_.is_active(reach_[m].second)) continue;
        next_one_.clear();
        left_.nearest_to(group[m], next_one_);
        if (m == reach_.size()) reach_.emplace_back();
        reach_[m] = next_one_.sorted().front();
    }
    return *std::min_element(reach_.begin(), reach_.end());
}

double SearchedRecords::to_nearest_other(Candidate found, double /*gain*/) {
    next_two_.clear();
    left_.nearest_to(found.second, next_two_);
    const auto& two = next_two_.sorted();
    return two.size() < 2 ? -1.0 : two[two[0].second == found.second ? 1 : 0].first;
}

}  // namespace shoal
