// V-MDAV: groups from the outside in, each extended while the next record is nearer to it than to any other.
#pragma once

#include <vector>

#include "common/active_set.hpp"
#include "common/matrix.hpp"

namespace shoal {

class Vmdav {
public:
    // `gain` multiplies the squared distance to the outside. X must outlive the object.
    Vmdav(Matrix X, index_t k, double gain, NeighborSearch search);

    // Form up to `n_groups` more groups. Returns the number of records without a group; below k, no group can follow.
    index_t step(index_t n_groups);

    const std::vector<index_t>& labels() const { return labels_; }  // (n,), -1 while without a group

private:
    void sort_outside_in();
    index_t outermost();
    void take_around(index_t record);
    void extend();
    bool is_near_enough(Candidate nearest);
    void take(index_t record);
    Candidate nearest_left(index_t record);

    Matrix X_;
    index_t k_;
    double gain_;
    CodedPoints coded_;
    ActiveSet left_;
    std::vector<index_t> outside_in_;  // (n,) records, farthest from the centroid of the table first
    index_t next_ = 0;                 // all before it in outside_in_ have a group
    index_t n_groups_ = 0;
    std::vector<index_t> group_;    // members of the group in the making
    std::vector<Candidate> reach_;  // nearest record left of every member
    Nearest around_, next_two_, next_one_;
    std::vector<index_t> labels_;
};

}  // namespace shoal
