#include "microaggregation/vmdav.hpp"

#include <algorithm>
#include <limits>

#include "common/sums.hpp"

namespace shoal {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

Vmdav::Vmdav(Matrix X, index_t k, double gain, NeighborSearch search)
    : X_(X), k_(k), gain_(gain), coded_(X), left_(coded_.points(), search), around_(k), next_two_(2), next_one_(1), labels_(X.n, -1) {
    sort_outside_in();
}

// Farthest from the centroid first; lowest record on ties. The centroid never changes, so once is enough.
void Vmdav::sort_outside_in() {
    std::vector<double> centroid = column_sums(X_);
    for (double& value : centroid) value /= static_cast<double>(X_.n);
    std::vector<Candidate> order(X_.n);
    for (index_t i = 0; i < X_.n; ++i) order[i] = {-squared_distance(X_.row(i), centroid.data(), X_.d), i};
    std::sort(order.begin(), order.end());
    for (const auto& [distance, record] : order) outside_in_.push_back(record);
}

index_t Vmdav::step(index_t n_groups) {
    const index_t goal = n_groups_ + n_groups;
    while (left_.n_active() >= k_ && n_groups_ < goal) {
        take_around(outermost());
        extend();
        ++n_groups_;
    }
    return left_.n_active();
}

index_t Vmdav::outermost() {
    while (labels_[outside_in_[next_]] >= 0) ++next_;
    return outside_in_[next_];
}

// The record is the lowest of its duplicates that are left, so it is always among its own nearest.
void Vmdav::take_around(index_t record) {
    group_.clear();
    around_.clear();
    left_.nearest_to(record, around_);
    for (const auto& [distance, near] : around_.sorted()) take(near);
}

// Keeps the nearest remaining record of every member; it is searched again only where that record was taken.
void Vmdav::extend() {
    if (gain_ <= 0.0) return;
    reach_.assign(group_.size(), {kInfinity, -1});
    while (static_cast<index_t>(group_.size()) < 2 * k_ - 1 && left_.n_active() > 0) {
        for (std::size_t m = 0; m < group_.size(); ++m)
            if (reach_[m].second < 0 || labels_[reach_[m].second] >= 0) reach_[m] = nearest_left(group_[m]);
        const Candidate nearest = *std::min_element(reach_.begin(), reach_.end());
        if (!is_near_enough(nearest)) return;
        take(nearest.second);
        reach_.push_back({kInfinity, -1});
    }
}

// Whether the record is nearer to the group than `gain` times its distance to the nearest other record left. The last
// record left has no other: it is not taken.
bool Vmdav::is_near_enough(Candidate nearest) {
    next_two_.clear();
    left_.nearest_to(nearest.second, next_two_);
    const auto& found = next_two_.sorted();
    if (found.size() < 2) return false;
    const Candidate other = found[found[0].second == nearest.second ? 1 : 0];
    return nearest.first < gain_ * other.first;
}

void Vmdav::take(index_t record) {
    labels_[record] = n_groups_;
    group_.push_back(record);
    left_.remove(record);
}

Candidate Vmdav::nearest_left(index_t record) {
    next_one_.clear();
    left_.nearest_to(record, next_one_);
    return next_one_.sorted().front();
}

}  // namespace shoal
