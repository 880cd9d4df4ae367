#include "microaggregation/vmdav.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "common/listed_records.hpp"
#include "common/sums.hpp"

namespace shoal {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr index_t kListedPerMember = 2;  // nearest records in a new list: of them, some are taken when they are needed

}  // namespace

Order outside_in(Matrix X) {
    std::vector<double> centroid = column_sums(X);
    for (double& value : centroid) value /= static_cast<double>(X.n);
    std::vector<Candidate> order(X.n);
    for (index_t i = 0; i < X.n; ++i) order[i] = {-squared_distance(X.row(i), centroid.data(), X.d), i};
    std::sort(order.begin(), order.end());
    std::vector<index_t> records;
    records.reserve(order.size());
    for (const auto& [distance, record] : order) records.push_back(record);
    return std::make_shared<const std::vector<index_t>>(std::move(records));
}

Vmdav::Vmdav(Matrix X, index_t k, double gain, NeighborSearch search)
    : X_(X), k_(k), gain_(gain), most_sse_(kInfinity), coded_(std::make_unique<CodedPoints>(X)),
      left_(coded_->points(), search), outside_in_(outside_in(X)), around_(k), next_two_(2), next_one_(1),
      labels_(X.n, -1) {}

Vmdav::Vmdav(Matrix X, NearestLists& lists, Order outside_in, index_t k, double gain, double most_sse)
    : X_(X), k_(k), gain_(gain), most_sse_(most_sse), left_(lists.points(), std::make_unique<ListedRecords>(lists)),
      outside_in_(std::move(outside_in)), around_(k), next_two_(2), next_one_(1), labels_(X.n, -1) {}

index_t Vmdav::step(index_t n_groups) {
    const index_t goal = n_groups_ + n_groups;
    while (left_.n_active() >= k_ && n_groups_ < goal && sse_ <= most_sse_) {
        take_around(outermost());
        extend();
        add_errors();
        ++n_groups_;
    }
    return left_.n_active();
}

index_t Vmdav::outermost() {
    while (labels_[(*outside_in_)[next_]] >= 0) ++next_;
    return (*outside_in_)[next_];
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

void Vmdav::add_errors() {
    centroid_.assign(X_.d, 0.0);
    for (const index_t record : group_)
        for (index_t j = 0; j < X_.d; ++j) centroid_[j] += X_.row(record)[j];
    for (double& value : centroid_) value /= static_cast<double>(group_.size());
    for (const index_t record : group_) sse_ += squared_distance(X_.row(record), centroid_.data(), X_.d);
}

Candidate Vmdav::nearest_left(index_t record) {
    next_one_.clear();
    left_.nearest_to(record, next_one_);
    return next_one_.sorted().front();
}

VmdavRuns::VmdavRuns(Matrix X, index_t k) : X_(X), k_(k), lists_(X, kListedPerMember * k), outside_in_(outside_in(X)) {}

std::unique_ptr<Vmdav> VmdavRuns::with_gain(double gain, double most_sse) {
    return std::make_unique<Vmdav>(X_, lists_, outside_in_, k_, gain, most_sse);
}

}  // namespace shoal
