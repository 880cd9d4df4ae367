// The records that have no group yet, as V-MDAV searches them.
#pragma once

#include <vector>

#include "common/active_index.hpp"

namespace shoal {

class RecordsLeft {
public:
    virtual ~RecordsLeft() = default;

    virtual index_t n_left() const = 0;

    // The k records left nearest to one of them, for a new group: itself first, then nearest first; lower record first on ties.
    virtual const std::vector<Candidate>& nearest_to(index_t record) = 0;

    // The record left that is nearest to any member of the group, and its squared distance to it; lowest record on ties.
    virtual Candidate nearest_to_group(const std::vector<index_t>& group) = 0;

    // Squared distance from a record left to the nearest other one; -1 where there is none. It may be less, if
    // `found.first` is still below `gain` times it.
    virtual double to_nearest_other(Candidate found, double gain) = 0;

    virtual void remove(index_t record) = 0;
};

}  // namespace shoal
