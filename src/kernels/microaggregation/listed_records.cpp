#include "microaggregation/listed_records.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace shoal {

namespace {

// After every real candidate, also where distances overflow to infinity.
constexpr Candidate kNobody{std::numeric_limits<double>::infinity(), std::numeric_limits<index_t>::max()};

}  // namespace

ListedRecords::ListedRecords(NearestLists& lists, index_t k)
    : lists_(lists), k_(static_cast<std::size_t>(k)), n_left_(lists.points().cells.n), is_left_(n_left_, 1),
      n_passed_(n_left_, 0) {}

bool ListedRecords::is_to_scan(index_t record) const {
    return static_cast<std::size_t>(n_left_) <= 2 * lists_.of(record).size();
}

const std::vector<Candidate>& ListedRecords::nearest_to(index_t record) {
    while (!find_nearest(record)) {
        if (is_to_scan(record)) {
            scan(record);
            std::sort(found_.begin(), found_.end());
            found_.resize(std::min(k_, found_.size()));
            break;
        }
        lists_.lengthen(record);
    }
    return found_;
}

// False where the list ends before k are found.
bool ListedRecords::find_nearest(index_t record) {
    found_.clear();
    const auto& list = lists_.of(record);
    for (std::size_t i = n_passed_[lists_.point_of(record)]; i < list.size() && found_.size() < k_; ++i)
        if (is_left_[list[i].second]) found_.push_back(list[i]);
    return found_.size() == k_;
}

Candidate ListedRecords::nearest_to_group(const std::vector<index_t>& group) {
    Candidate nearest = kNobody;
    for (const index_t member : group)
        while (!find_nearer(member, nearest)) {
            if (is_to_scan(member)) {
                const auto& all = scan(member);
                nearest = std::min(nearest, *std::min_element(all.begin(), all.end()));
                break;
            }
            lists_.lengthen(member);
        }
    return nearest;
}

// The list is read as far as it is nearer than what was found before; false where it ends before that.
bool ListedRecords::find_nearer(index_t record, Candidate& nearest) {
    const auto& list = lists_.of(record);
    std::size_t& at = n_passed_[lists_.point_of(record)];
    for (; at < list.size() && list[at] < nearest; ++at)
        if (is_left_[list[at].second]) {
            nearest = list[at];
            return true;
        }
    return at < list.size();
}

double ListedRecords::to_nearest_other(Candidate found, double gain) {
    const auto [distance, record] = found;
    if (n_left_ < 2) return -1.0;
    while (true) {
        const auto& list = lists_.of(record);
        for (std::size_t i = n_passed_[lists_.point_of(record)]; i < list.size(); ++i)
            if ((is_left_[list[i].second] && list[i].second != record) || distance < gain * list[i].first)
                return list[i].first;
        if (is_to_scan(record)) break;
        lists_.lengthen(record);
    }
    Candidate nearest = kNobody;
    for (const Candidate& other : scan(record))
        if (other.second != record) nearest = std::min(nearest, other);
    return nearest.first;
}

// All records left and their distances, in any order.
const std::vector<Candidate>& ListedRecords::scan(index_t record) {
    if (scanned_.empty()) {
        scanned_.resize(is_left_.size());
        std::iota(scanned_.begin(), scanned_.end(), 0);
    }
    std::erase_if(scanned_, [&](index_t other) { return !is_left_[other]; });
    found_.clear();
    const Points X = lists_.points();
    for (const index_t other : scanned_)
        found_.emplace_back(squared_distance(X, X.cells.row(record), X.cells.row(other)), other);
    return found_;
}

void ListedRecords::remove(index_t record) {
    is_left_[record] = 0;
    --n_left_;
}

}  // namespace shoal
