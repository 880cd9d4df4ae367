// V-MDAV: groups from the outside in, each extended while the next record is nearer to it than to any other.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "common/active_set.hpp"
#include "common/matrix.hpp"
#include "microaggregation/nearest_lists.hpp"
#include "microaggregation/records_left.hpp"

namespace shoal {

using Order = std::shared_ptr<const std::vector<index_t>>;
using Gains = std::shared_ptr<const std::vector<double>>;  // factors of the squared distance to the outside, ascending

// One of several gains.
struct Gain {
    Gains all;
    index_t place;
};

// (n,) Records, farthest from the centroid of the table first; lowest record on ties.
Order outside_in(Matrix X);

class Vmdav {
public:
    // X must outlive the object.
    Vmdav(Matrix X, index_t k, double gain, NeighborSearch search);

    // The same, given what does not depend on the gain; it ends where `most_sse` is exceeded. X must outlive the object.
    Vmdav(Matrix X, std::unique_ptr<RecordsLeft> left, Order outside_in, index_t k, Gain gain, double most_sse);

    // Form up to `n_groups` more groups. Returns the number of records without a group; below k, no group can follow.
    index_t step(index_t n_groups);

    const std::vector<index_t>& labels() const { return labels_; }  // (n,), -1 while without a group

    // Of the groups so far, in rounded arithmetic; records that join a group later can only add to it.
    double sse() const { return sse_; }

    // First and last place of the gains with which all groups so far would be the same.
    std::pair<index_t, index_t> same_gains() const { return {first_, last_}; }

private:
    index_t outermost();
    void take_around(index_t record);
    void extend();
    bool is_near_enough(Candidate nearest);
    void take(index_t record);
    void add_errors();

    Matrix X_;
    index_t k_;
    Gains gains_;
    index_t place_, first_, last_;
    double most_sse_;
    std::unique_ptr<RecordsLeft> left_;
    Order outside_in_;
    index_t next_ = 0;  // all before it in outside_in_ have a group
    index_t n_groups_ = 0;
    double sse_ = 0.0;
    std::vector<double> centroid_;  // (d,) of the last group
    std::vector<index_t> group_;    // members of the group in the making
    std::vector<index_t> labels_;
};

// V-MDAV of the same records with one of several gains after the other: they share the order and the nearest records.
class VmdavRuns {
public:
    // `gains` ascend. X must outlive the object.
    VmdavRuns(Matrix X, index_t k, std::vector<double> gains);

    // The object must outlive it.
    std::unique_ptr<Vmdav> with_gain(index_t place, double most_sse);

private:
    Matrix X_;
    index_t k_;
    Gains gains_;
    NearestLists lists_;
    Order outside_in_;
};

}  // namespace shoal
