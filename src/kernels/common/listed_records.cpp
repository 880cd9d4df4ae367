#include "common/listed_records.hpp"

#include <numeric>

namespace shoal {

ListedRecords::ListedRecords(NearestLists& lists)
    : lists_(lists), active_(lists.points().cells.n), place_of_(active_.size()), is_active_(active_.size(), 1),
      n_passed_(active_.size(), 0) {
    std::iota(active_.begin(), active_.end(), 0);
    std::iota(place_of_.begin(), place_of_.end(), 0);
}

void ListedRecords::nearest_to(index_t record, Nearest& nearest) {
    while (!find_in_list(record, nearest)) {
        nearest.clear();
        if (active_.size() <= 2 * lists_.of(record).size()) return scan(record, nearest);
        lists_.lengthen(record);
    }
}

Candidate ListedRecords::candidate(index_t record, index_t other) const {
    const Points X = lists_.points();
    return {squared_distance(X, X.cells.row(record), X.cells.row(other)), other};
}

// False where the list ends before as many as asked for are found.
bool ListedRecords::find_in_list(index_t record, Nearest& nearest) {
    const auto& list = lists_.of(record);
    std::size_t& first = n_passed_[lists_.point_of(record)];
    while (first < list.size() && !is_active_[list[first].second]) ++first;
    for (std::size_t i = first; i < list.size(); ++i) {
        if (is_active_[list[i].second]) nearest.consider(list[i]);
        if (nearest.is_full()) return true;
    }
    return false;
}

void ListedRecords::scan(index_t record, Nearest& nearest) {
    for (const index_t other : active_) nearest.consider(candidate(record, other));
}

Candidate ListedRecords::nearest_and_farthest(index_t record, Nearest& nearest) {
    Candidate farthest{-1.0, -1};
    for (const index_t other : active_) {
        const Candidate found = candidate(record, other);
        nearest.consider(found);
        if (farther(found, farthest)) farthest = found;
    }
    return farthest;
}

void ListedRecords::remove(index_t record) {
    const index_t place = place_of_[record], last = active_.back();
    active_[place] = last;
    place_of_[last] = place;
    active_.pop_back();
    is_active_[record] = 0;
}

}  // namespace shoal
