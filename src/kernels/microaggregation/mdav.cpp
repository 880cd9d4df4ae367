#include "microaggregation/mdav.hpp"

#include <algorithm>

namespace shoal {

namespace {

bool are_single(const index_t* members, index_t n) {
    return std::all_of(members, members + n, [](index_t count) { return count == 1; });
}

}  // namespace

Mdav::Mdav(Matrix X, const index_t* members, index_t k, NeighborSearch search)
    : members_(members), k_(k), labels_(X.n, -1), coded_(X, are_single(members, X.n)), centroid_(coded_),
      active_(coded_.points(), search), farthest_(coded_, k, active_), nearest_(k) {
    for (index_t i = 0; i < X.n; ++i) {
        n_members_ += members[i];
        centroid_.add(i, members[i]);
    }
}

// While 3k are left: a group around the one farthest from the centroid, another around the one farthest from that.
index_t Mdav::step(index_t n_groups) {
    const index_t goal = n_groups_ + n_groups;
    while (n_members_ > 0 && n_groups_ < goal) {
        if (n_members_ < 2 * k_) {
            group_rest();
            continue;
        }
        const index_t r = farthest_.farthest_from(centroid_.coordinates(n_members_));
        if (n_members_ < 3 * k_) {
            take_group_around(r);
            continue;
        }
        const index_t s = farthest_after_group_around(r);
        if (n_members_ >= 2 * k_) take_group_around(s);
    }
    return n_members_ > 0 ? active_.n_active() : 0;
}

void Mdav::take_group_around(index_t unit) {
    nearest_.clear();
    active_.nearest_to(unit, nearest_);
    group_nearest();
}

index_t Mdav::farthest_after_group_around(index_t unit) {
    nearest_.clear();
    const index_t farthest = active_.nearest_and_farthest(unit, nearest_).second;
    group_nearest();
    // It is in the group only if all that remain are equally far: then the lowest of them is the farthest.
    return active_.is_active(farthest) ? farthest : active_.lowest();
}

// The nearest until they have k members; where fewer than k would be left, those join. The unit at the center is the
// lowest of its duplicates, so it is always among its own nearest.
void Mdav::group_nearest() {
    index_t taken = 0;
    for (const auto& [distance, unit] : nearest_.sorted()) {
        if (taken >= k_) break;
        taken += members_[unit];
        labels_[unit] = n_groups_;
        active_.remove(unit);
        centroid_.subtract(unit, members_[unit]);
    }
    n_members_ -= taken;
    if (n_members_ < k_) assign_rest(n_groups_);
    ++n_groups_;
}

void Mdav::group_rest() {
    assign_rest(n_groups_);
    ++n_groups_;
}

void Mdav::assign_rest(index_t group) {
    for (auto& label : labels_)
        if (label < 0) label = group;
    n_members_ = 0;
}

}  // namespace shoal
