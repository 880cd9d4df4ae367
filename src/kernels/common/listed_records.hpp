// An index over the active records by lists of nearest records that several indexes share.
#pragma once

#include <vector>

#include "common/nearest_lists.hpp"

namespace shoal {

// A list without enough active records is made longer, for all that share it; once few records are active, they are
// scanned instead.
class ListedRecords : public ActiveIndex {
public:
    // All records are active at first. `lists` must outlive the object.
    explicit ListedRecords(NearestLists& lists);

    void nearest_to(index_t record, Nearest& nearest) override;
    Candidate nearest_and_farthest(index_t record, Nearest& nearest) override;
    void remove(index_t record) override;
    void replace(index_t record, index_t /*equal*/) override { remove(record); }  // equal records are in the lists, too
    double work() const override { return 0.0; }  // it is never compared with another index

private:
    Candidate candidate(index_t record, index_t other) const;
    bool find_in_list(index_t record, Nearest& nearest);
    void scan(index_t record, Nearest& nearest);

    NearestLists& lists_;
    std::vector<index_t> active_;        // in any order
    std::vector<index_t> place_of_;      // (n,) in active_
    std::vector<char> is_active_;        // (n,)
    std::vector<std::size_t> n_passed_;  // (n,) by point, records at the start of its list that are not active
};

}  // namespace shoal
