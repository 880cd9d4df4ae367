// MDAV, exact: the same groups on every machine, whether the active records are scanned or kept in a tree.
//
// What is grouped are units of one or more members, such as households: a group has at least k members, and a unit is
// never split. Records are units of one.
#pragma once

#include <vector>

#include "common/active_set.hpp"
#include "common/matrix.hpp"
#include "microaggregation/farthest_from_centroid.hpp"
#include "microaggregation/moving_centroid.hpp"

namespace shoal {

class Mdav {
public:
    // X (n units) and members (n, how many each has) must outlive the object.
    Mdav(Matrix X, const index_t* members, index_t k, NeighborSearch search);
    Mdav(const Mdav&) = delete;

    // Form at least `n_groups` more groups, or all that remain. Returns the number of units still without a group.
    index_t step(index_t n_groups);

    const std::vector<index_t>& labels() const { return labels_; }  // (n,), -1 while without a group

private:
    void take_group_around(index_t unit);
    index_t farthest_after_group_around(index_t unit);
    void group_nearest();
    void group_rest();
    void assign_rest(index_t group);

    const index_t* members_;
    index_t k_;
    index_t n_members_ = 0;  // of units without a group
    index_t n_groups_ = 0;
    std::vector<index_t> labels_;
    CodedPoints coded_;
    MovingCentroid centroid_;  // of the members of active units
    ActiveSet active_;
    FarthestFromCentroid farthest_;
    Nearest nearest_;
};

}  // namespace shoal
