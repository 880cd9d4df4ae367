#include "microaggregation/mdav.hpp"

namespace shoal {

Mdav::Mdav(Matrix X, const index_t* members, index_t k, Search search)
    : X_(X), members_(members), k_(k), labels_(X.n, -1), sums_(X.d), outskirts_(X, k, labels_), nearest_(k),
      living_(X, search) {
    for (index_t i = 0; i < X.n; ++i) {
        n_members_ += members[i];
        for (index_t j = 0; j < X.d; ++j) sums_[j].add(static_cast<double>(members[i]) * X.row(i)[j]);
    }
}

// While 3k are left: a group around the one farthest from the centroid, another around the one farthest from that.
index_t Mdav::step(index_t n_groups) {
    const index_t goal = n_groups_ + n_groups;
    while (n_members_ > 0 && n_groups_ < goal) {
        if (n_members_ < 2 * k_) {
            rest_becomes_a_group();
            continue;
        }
        const index_t r = outskirts_.farthest_from(centroid(), living_.n_alive());
        if (n_members_ < 3 * k_) {
            take_group_around(r);
            continue;
        }
        const index_t s = farthest_after_group_around(r);
        if (n_members_ >= 2 * k_) take_group_around(s);
    }
    return n_members_ > 0 ? living_.n_alive() : 0;
}

void Mdav::take_group_around(index_t unit) {
    nearest_.clear();
    living_.nearest_to(unit, nearest_);
    nearest_become_a_group();
}

index_t Mdav::farthest_after_group_around(index_t unit) {
    nearest_.clear();
    const index_t farthest = living_.nearest_and_farthest(unit, nearest_).second;
    nearest_become_a_group();
    // It can only be gone if all that are left are equally far: then the lowest of them comes first.
    return living_.alive(farthest) ? farthest : living_.lowest();
}

// The nearest until they have k members; where fewer than k would be left, those join. The unit looked from is the
// lowest of its duplicates, so it is always among its own nearest.
void Mdav::nearest_become_a_group() {
    index_t taken = 0;
    for (const auto& [distance, unit] : nearest_.sorted()) {
        if (taken >= k_) break;
        taken += members_[unit];
        labels_[unit] = n_groups_;
        living_.remove(unit);
        for (index_t j = 0; j < X_.d; ++j)
            sums_[j].subtract(static_cast<double>(members_[unit]) * X_.row(unit)[j]);
    }
    n_members_ -= taken;
    if (n_members_ < k_) rest_joins(n_groups_);
    ++n_groups_;
}

void Mdav::rest_becomes_a_group() {
    rest_joins(n_groups_);
    ++n_groups_;
}

void Mdav::rest_joins(index_t group) {
    for (auto& label : labels_)
        if (label < 0) label = group;
    n_members_ = 0;
}

std::vector<double> Mdav::centroid() const {
    std::vector<double> mean(X_.d);
    for (index_t j = 0; j < X_.d; ++j) mean[j] = sums_[j].value() / static_cast<double>(n_members_);
    return mean;
}

}  // namespace shoal
