// The active records of one point, linked in the order of their numbers: a search looks at the lowest of them alone.
#pragma once

#include <vector>

#include "common/matrix.hpp"

namespace shoal {

class Duplicates {
public:
    // Links no records: as if all were different.
    Duplicates() = default;
    // All records are active at first.
    explicit Duplicates(Matrix cells);

    // The active record of the same point before and after a record; -1 where there is none.
    index_t before(index_t record) const { return before_.empty() ? -1 : before_[record]; }
    index_t after(index_t record) const { return after_.empty() ? -1 : after_[record]; }

    // The lowest active record at the point of a record that is not active; -1 where there is none.
    index_t instead_of(index_t record) const { return lowest_.empty() ? -1 : lowest_[point_[record]]; }

    // Records that have no equal one before them, in order; before any is removed.
    std::vector<index_t> different() const;

    void remove(index_t record);

private:
    void link();

    index_t n_ = 0;
    // All empty where no two records are equal.
    std::vector<index_t> before_, after_;  // (n,)
    std::vector<index_t> point_;           // (n,)
    std::vector<index_t> lowest_;          // (n_points,) active record
};

}  // namespace shoal
