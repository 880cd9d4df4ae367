#include "common/living_search.hpp"

#include "common/live_tree.hpp"
#include "common/scan.hpp"

namespace shoal {

namespace {

constexpr index_t kProbes = 64;       // looks after which a tree must have shown that it is worth its while
constexpr double kWorthWhile = 0.35;  // share of the records that a tree may look at before a scan is faster
constexpr index_t kTooFewForATree = 512;
constexpr index_t kFewColumns = 3;

}  // namespace

LivingSearch::LivingSearch(Matrix X, Search search) : X_(X), search_(search), n_alive_(X.n), alive_(X.n, 1) {
    choose_anew();
}

void LivingSearch::nearest_to(index_t record, Nearest& nearest) {
    choose();
    ++n_looks_;
    living_->nearest_to(record, nearest);
}

Candidate LivingSearch::nearest_and_farthest(index_t record, Nearest& nearest) {
    choose();
    n_looks_ += 2;
    return living_->nearest_and_farthest(record, nearest);
}

void LivingSearch::remove(index_t record) {
    living_->remove(record);
    alive_[record] = 0;
    --n_alive_;
}

index_t LivingSearch::lowest() {
    while (lowest_ < X_.n && !alive_[lowest_]) ++lowest_;
    return lowest_;
}

void LivingSearch::choose() {
    const index_t share = X_.d <= kFewColumns ? 4 : 2;  // in few columns a thinned tree is still cheaper than a new one
    if (share * n_alive_ <= n_when_chosen_) {
        choose_anew();
    } else if (probing_ && n_looks_ >= kProbes) {
        probing_ = false;
        const double looked_at = living_->work() / (static_cast<double>(n_looks_) * static_cast<double>(n_alive_));
        if (looked_at > kWorthWhile) living_ = std::make_unique<Scan>(X_, living_records());
    }
}

void LivingSearch::choose_anew() {
    const bool tree = search_ == Search::tree || (search_ == Search::automatic && n_alive_ >= kTooFewForATree);
    if (tree)
        living_ = live_tree(X_, living_records());
    else
        living_ = std::make_unique<Scan>(X_, living_records());
    probing_ = search_ == Search::automatic && tree;
    n_when_chosen_ = n_alive_;
    n_looks_ = 0;
}

std::vector<index_t> LivingSearch::living_records() const {
    std::vector<index_t> records;
    records.reserve(n_alive_);
    for (index_t i = 0; i < X_.n; ++i)
        if (alive_[i]) records.push_back(i);
    return records;
}

}  // namespace shoal
