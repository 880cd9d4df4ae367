// The nearest records of every record, found when they are first asked for and kept: for methods that search the same
// records again and again.
#pragma once

#include <vector>

#include "common/active_set.hpp"

namespace shoal {

class NearestLists {
public:
    // Lists begin with `length` records. X must outlive the object.
    NearestLists(Matrix X, index_t length);

    Points points() const { return coded_.points(); }

    // The nearest records of a record, itself among them, nearest first; lower record first on ties.
    const std::vector<Candidate>& of(index_t record) const { return lists_[point_of_[record]]; }

    // The same for all records with the same coordinates, which have one list.
    index_t point_of(index_t record) const { return point_of_[record]; }

    // Makes the list of a record, or makes it twice as long, up to all records.
    void lengthen(index_t record);

private:
    CodedPoints coded_;
    ActiveSet all_;
    index_t length_;
    std::vector<index_t> point_of_;              // (n,)
    std::vector<std::vector<Candidate>> lists_;  // (n,) of every point, empty until it is asked for
};

}  // namespace shoal
