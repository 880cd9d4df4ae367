#include "mdav.hpp"

#include "live_tree.hpp"
#include "scan.hpp"

namespace shoal {

namespace {

constexpr index_t kProbes = 64;         // looks after which a tree must have shown that it is worth its while
constexpr double kWorthWhile = 0.35;    // share of all records that a tree may look at before a scan is faster
constexpr index_t kTooFewForATree = 512;

}  // namespace

Mdav::Mdav(Matrix X, const index_t* members, index_t k, Search search)
    : X_(X), members_(members), k_(k), search_(search), n_alive_(X.n), labels_(X.n, -1), sums_(X.d),
      outskirts_(X, k, labels_), nearest_(k) {
    for (index_t i = 0; i < X.n; ++i) {
        n_members_ += members[i];
        for (index_t j = 0; j < X.d; ++j) sums_[j].add(static_cast<double>(members[i]) * X.row(i)[j]);
    }
}

// While 3k are left: a group around the one farthest from the centroid, another around the one farthest from that.
index_t Mdav::step(index_t n_groups) {
    const index_t goal = n_groups_ + n_groups;
    while (n_alive_ > 0 && n_groups_ < goal) {
        if (n_members_ < 2 * k_) {
            rest_becomes_a_group();
            continue;
        }
        choose_search();
        const index_t r = outskirts_.farthest_from(centroid(), n_alive_);
        if (n_members_ < 3 * k_) {
            take_group_around(r);
            continue;
        }
        const index_t s = farthest_after_group_around(r);
        if (n_members_ >= 2 * k_) take_group_around(s);
    }
    return n_alive_;
}

void Mdav::take_group_around(index_t unit) {
    nearest_.clear();
    living_->nearest_to(unit, nearest_);
    ++n_looks_;
    nearest_become_a_group();
}

index_t Mdav::farthest_after_group_around(index_t unit) {
    nearest_.clear();
    const index_t farthest = living_->nearest_and_farthest(unit, nearest_).second;
    n_looks_ += 2;
    nearest_become_a_group();
    // It can only be gone if all that are left are equally far: then the lowest of them comes first.
    while (lowest_ < X_.n && labels_[lowest_] >= 0) ++lowest_;
    return labels_[farthest] >= 0 ? lowest_ : farthest;
}

// The nearest until they have k members; where fewer than k would be left, those join. The unit looked from is the
// lowest of its duplicates, so it is always among its own nearest.
void Mdav::nearest_become_a_group() {
    index_t taken = 0;
    for (const auto& [distance, unit] : nearest_.sorted()) {
        if (taken >= k_) break;
        taken += members_[unit];
        labels_[unit] = n_groups_;
        living_->remove(unit);
        for (index_t j = 0; j < X_.d; ++j)
            sums_[j].subtract(static_cast<double>(members_[unit]) * X_.row(unit)[j]);
        --n_alive_;
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
    n_alive_ = 0;
    n_members_ = 0;
}

// A tree is built anew when half of its records are gone, and given up for a scan where it looks at nearly everybody.
void Mdav::choose_search() {
    const bool first = !living_;
    if (first || 2 * n_alive_ <= n_when_chosen_) {
        const bool tree = search_ == Search::tree || (search_ == Search::automatic && n_alive_ >= kTooFewForATree);
        if (tree)
            living_ = std::make_unique<LiveTree>(X_, living_records());
        else if (first || search_ == Search::automatic)
            living_ = std::make_unique<Scan>(X_, living_records());
        probing_ = tree && search_ == Search::automatic;
        n_when_chosen_ = n_alive_;
        n_looks_ = 0;
    } else if (probing_ && n_looks_ >= kProbes) {
        probing_ = false;
        const double share = living_->work() / (static_cast<double>(n_looks_) * static_cast<double>(n_alive_));
        if (share > kWorthWhile) living_ = std::make_unique<Scan>(X_, living_records());
    }
}

std::vector<index_t> Mdav::living_records() const {
    std::vector<index_t> records;
    records.reserve(n_alive_);
    for (index_t i = 0; i < X_.n; ++i)
        if (labels_[i] < 0) records.push_back(i);
    return records;
}

std::vector<double> Mdav::centroid() const {
    std::vector<double> mean(X_.d);
    for (index_t j = 0; j < X_.d; ++j) mean[j] = sums_[j].value() / static_cast<double>(n_members_);
    return mean;
}

}  // namespace shoal
