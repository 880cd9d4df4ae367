#include "mdav.hpp"

#include "live_tree.hpp"
#include "scan.hpp"

namespace shoal {

namespace {

constexpr index_t kProbes = 64;         // looks after which a tree must have shown that it is worth its while
constexpr double kWorthWhile = 0.35;    // share of all records that a tree may look at before a scan is faster
constexpr index_t kTooFewForATree = 512;

}  // namespace

Mdav::Mdav(Matrix X, index_t k, Search search)
    : X_(X), k_(k), search_(search), n_alive_(X.n), labels_(X.n, -1), sums_(X.d), outskirts_(X, k, labels_),
      nearest_(k) {
    for (index_t i = 0; i < X.n; ++i)
        for (index_t j = 0; j < X.d; ++j) sums_[j].add(X.row(i)[j]);
}

index_t Mdav::step(index_t n_groups) {
    const index_t goal = n_groups_ + n_groups;
    while (n_alive_ > 0 && n_groups_ < goal) {
        if (n_alive_ < 2 * k_)
            rest_becomes_a_group();
        else
            take_two_groups();
    }
    return n_alive_;
}

// One around the record farthest from the centroid; where 3k are left, another around the one farthest from that.
void Mdav::take_two_groups() {
    choose_search();
    const index_t r = outskirts_.farthest_from(centroid(), n_alive_);
    const bool both_ends = n_alive_ >= 3 * k_;
    nearest_.clear();
    if (!both_ends) {
        living_->nearest_to(r, nearest_);
        nearest_become_a_group();
        return;
    }
    index_t s = living_->nearest_and_farthest(r, nearest_).second;
    nearest_become_a_group();
    // s can only be gone if all that are left are equally far from r: then the lowest of them comes first.
    while (labels_[lowest_] >= 0) ++lowest_;
    if (labels_[s] >= 0) s = lowest_;
    nearest_.clear();
    living_->nearest_to(s, nearest_);
    nearest_become_a_group();
    n_looks_ += 3;
}

// r and s are the lowest of their duplicates, so they are always among their own nearest.
void Mdav::nearest_become_a_group() {
    for (const auto& [distance, record] : nearest_.members()) {
        labels_[record] = n_groups_;
        living_->remove(record);
        for (index_t j = 0; j < X_.d; ++j) sums_[j].subtract(X_.row(record)[j]);
        --n_alive_;
    }
    ++n_groups_;
}

void Mdav::rest_becomes_a_group() {
    for (auto& label : labels_)
        if (label < 0) label = n_groups_;
    n_alive_ = 0;
    ++n_groups_;
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
    for (index_t j = 0; j < X_.d; ++j) mean[j] = sums_[j].value() / static_cast<double>(n_alive_);
    return mean;
}

}  // namespace shoal
