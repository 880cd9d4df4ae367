#include "microaggregation/vmdav.hpp"

#include <algorithm>
#include <utility>

#include "common/sums.hpp"
#include "microaggregation/listed_records.hpp"
#include "microaggregation/searched_records.hpp"

namespace shoal {

namespace {

constexpr index_t kListedBeyond = 8;  // and 2k nearest records in a new list: some are taken when they are needed

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
    : Vmdav(X, std::make_unique<SearchedRecords>(X, k, search), shoal::outside_in(X), k,
            {std::make_shared<const std::vector<double>>(1, gain), 0}, kInfinity) {}

Vmdav::Vmdav(Matrix X, std::unique_ptr<RecordsLeft> left, Order outside_in, index_t k, Gain gain, double most_sse)
    : X_(X), k_(k), gains_(std::move(gain.all)), place_(gain.place), first_(0),
      last_(static_cast<index_t>(gains_->size()) - 1), most_sse_(most_sse), left_(std::move(left)),
      outside_in_(std::move(outside_in)), labels_(X.n, -1) {}

index_t Vmdav::step(index_t n_groups) {
    const index_t goal = n_groups_ + n_groups;
    while (left_->n_left() >= k_ && n_groups_ < goal && sse_ <= most_sse_) {
        take_around(outermost());
        extend();
        add_errors();
        ++n_groups_;
    }
    return left_->n_left();
}

index_t Vmdav::outermost() {
    while (labels_[(*outside_in_)[next_]] >= 0) ++next_;
    return (*outside_in_)[next_];
}

// The record is the lowest of its duplicates that are left, so it is always among its own nearest.
void Vmdav::take_around(index_t record) {
    group_.clear();
    for (const auto& [distance, near] : left_->nearest_to(record)) take(near);
}

// With a gain of 0 no record is near enough; if all gains are 0, none is looked at.
void Vmdav::extend() {
    if ((*gains_)[last_] <= 0.0) return;
    while (static_cast<index_t>(group_.size()) < 2 * k_ - 1 && left_->n_left() > 0) {
        const Candidate nearest = left_->nearest_to_group(group_);
        if (!is_near_enough(nearest)) return;
        take(nearest.second);
    }
}

// Whether the record is nearer to the group than the gain times its distance to the nearest other record left. The last
// record left has no other: it is not taken. Gains with which it would be otherwise are not the same any more.
bool Vmdav::is_near_enough(Candidate nearest) {
    const double other = left_->to_nearest_other(nearest, (*gains_)[first_]);
    auto is_near = [&](index_t place) { return nearest.first < (*gains_)[place] * other; };
    const bool taken = is_near(place_);
    while (is_near(first_) != taken) ++first_;
    while (is_near(last_) != taken) --last_;
    return taken;
}

void Vmdav::take(index_t record) {
    labels_[record] = n_groups_;
    group_.push_back(record);
    left_->remove(record);
}

void Vmdav::add_errors() {
    centroid_.assign(X_.d, 0.0);
    for (const index_t record : group_)
        for (index_t j = 0; j < X_.d; ++j) centroid_[j] += X_.row(record)[j];
    for (double& value : centroid_) value /= static_cast<double>(group_.size());
    for (const index_t record : group_) sse_ += squared_distance(X_.row(record), centroid_.data(), X_.d);
}

VmdavRuns::VmdavRuns(Matrix X, index_t k, std::vector<double> gains)
    : X_(X), k_(k), gains_(std::make_shared<const std::vector<double>>(std::move(gains))),
      lists_(X, 2 * k + kListedBeyond), outside_in_(outside_in(X)) {}

std::unique_ptr<Vmdav> VmdavRuns::with_gain(index_t place, double most_sse) {
    return std::make_unique<Vmdav>(X_, std::make_unique<ListedRecords>(lists_, k_), outside_in_, k_,
                                   Gain{gains_, place}, most_sse);
}

}  // namespace shoal
