// Who is farthest from the centroid of the living, while the centroid moves a little at a time.
//
// The records are sorted once by their distance to some old centroid. None can be farther from the new one than its old
// distance plus the way the centroid has gone, so a look at the first few is enough; when too many have to be looked at,
// the list is made anew.
#pragma once

#include <vector>

#include "common/living.hpp"

namespace shoal {

class Outskirts {
public:
    // `group_of[record] < 0` says that a record is living; the array is read, never written.
    Outskirts(Matrix X, index_t k, const std::vector<index_t>& group_of) : X_(X), k_(k), group_of_(group_of) {}

    // The living record farthest from `centroid`; lowest record on ties.
    index_t farthest_from(const std::vector<double>& centroid, index_t n_alive);

private:
    void list_anew(const std::vector<double>& centroid, index_t n_alive);
    bool look_at_listed(const std::vector<double>& centroid, Candidate& farthest);
    bool living(index_t record) const { return group_of_[record] < 0; }

    Matrix X_;
    index_t k_;
    const std::vector<index_t>& group_of_;
    std::vector<double> old_centroid_;
    std::vector<Candidate> listed_;  // (distance to the old centroid, record) farthest first
    std::size_t head_ = 0;           // all before it have a group by now
    double beyond_ = 0.0;            // no living record that is not listed was farther than this
    std::size_t n_looked_at_ = 0;    // since the list was made
};

}  // namespace shoal
