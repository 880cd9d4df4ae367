#include "common/active_set.hpp"

#include "common/dynamic_kd_tree.hpp"
#include "common/scan.hpp"

namespace shoal {

namespace {

constexpr index_t kProbes = 64;       // searches after which a tree is compared with a scan
constexpr double kWorthWhile = 0.35;  // share of the records that a tree may visit before a scan is faster
constexpr index_t kTooFewForATree = 512;
constexpr index_t kFewColumns = 3;
constexpr index_t kFewestColumns = 2;  // of more, boxes are too wide to tell how far their records are

}  // namespace

ActiveSet::ActiveSet(Points X, NeighborSearch search)
    : X_(X), search_(search), n_active_(X.cells.n), is_active_(X.cells.n, 1), duplicates_(X.cells) {
    for (index_t i = 0; i < n_active_; ++i) n_points_ += is_lowest_like(i);
    rebuild();
}

ActiveSet::ActiveSet(Points X, std::unique_ptr<ActiveIndex> index)
    : X_(X), search_(NeighborSearch::scan), n_active_(X.cells.n), is_active_(X.cells.n, 1), n_points_(n_active_),
      index_(std::move(index)) {}

void ActiveSet::nearest_to(index_t record, Nearest& nearest) {
    choose();
    ++n_looks_;
    index_->nearest_to(record, nearest);
}

Candidate ActiveSet::nearest_and_farthest(index_t record, Nearest& nearest) {
    choose();
    n_looks_ += 2;
    return index_->nearest_and_farthest(record, nearest);
}

std::optional<Candidate> ActiveSet::farthest_from(const double* point) {
    if (X_.cells.d > kFewestColumns) return std::nullopt;
    choose();
    const auto found = index_->farthest_from(point);
    n_looks_ += found.has_value();
    return found;
}

void ActiveSet::remove(index_t record) {
    const index_t next = duplicates_.after(record);
    if (is_lowest_like(record) && next >= 0) {
        index_->replace(record, next);
    } else if (is_lowest_like(record)) {
        index_->remove(record);
        --n_points_;
    }
    duplicates_.remove(record);
    is_active_[record] = 0;
    --n_active_;
}

index_t ActiveSet::lowest() {
    while (lowest_ < X_.cells.n && !is_active_[lowest_]) ++lowest_;
    return lowest_;
}

void ActiveSet::choose() {
    const index_t share =
        X_.cells.d <= kFewColumns ? 4 : 2;  // in few columns a thinned tree is still cheaper than a new one
    if (share * n_points_ <= n_when_chosen_) {
        rebuild();
    } else if (probing_ && n_looks_ >= kProbes) {
        probing_ = false;
        const double looked_at = index_->work() / (static_cast<double>(n_looks_) * static_cast<double>(n_points_));
        if (looked_at > kWorthWhile) index_ = std::make_unique<Scan>(X_, records_to_index(), duplicates_);
    }
}

void ActiveSet::rebuild() {
    const bool tree =
        search_ == NeighborSearch::tree || (search_ == NeighborSearch::automatic && n_points_ >= kTooFewForATree);
    if (tree)
        index_ = dynamic_kd_tree(X_, records_to_index(), duplicates_);
    else
        index_ = std::make_unique<Scan>(X_, records_to_index(), duplicates_);
    probing_ = search_ == NeighborSearch::automatic && tree;
    n_when_chosen_ = n_points_;
    n_looks_ = 0;
}

std::vector<index_t> ActiveSet::records_to_index() const {
    std::vector<index_t> records;
    records.reserve(n_points_);
    for (index_t i = 0; i < X_.cells.n; ++i)
        if (is_lowest_like(i)) records.push_back(i);
    return records;
}

}  // namespace shoal
