// The nearest of one file's records to the records of another, by a k-d tree, with ties counted exactly.
//
// Bounds need slack for ties alone: rounded subtraction, squaring, weighing and addition in a fixed order are monotone,
// so the rounded distance to a box never exceeds the rounded distance to a record in it. Equal candidates are one point
// with their count: the classes of a release, for which one distance is computed.
#pragma once

#include <vector>

#include "common/duplicates.hpp"
#include "common/kd_tree.hpp"
#include "linkage/link_tally.hpp"

namespace shoal {

class LinkTree {
public:
    // counts[i]: records that candidate i stands for.
    LinkTree(Matrix candidates, Metric metric, const index_t* counts, index_t n_threads);

    // A tally for every record of `records`; truth[i] is its true candidate, -1 where there is none.
    std::vector<LinkTally> tally(Matrix records, const index_t* truth, index_t n_wanted) const;

private:
    LinkTree(Matrix candidates, Metric metric, const index_t* counts, index_t n_threads, const Duplicates& duplicates);
    double least_distance(index_t node, const double* point, double limit) const;
    void visit(index_t node, const double* point, index_t n_wanted, LinkTally& tally) const;
    void look_at(const KdTree::Node& leaf, const double* point, index_t n_wanted, LinkTally& tally) const;
    residue_t fingerprint(index_t place, const double* point) const;
    double value(index_t j, index_t place) const { return columns_[j * n_points() + place]; }
    index_t n_points() const { return static_cast<index_t>(counts_.size()); }

    index_t d_;
    Metric metric_;
    KdTree tree_;                  // over the lowest of equal candidates
    std::vector<index_t> counts_;  // (n_points,) records at it
    std::vector<index_t> place_;   // (n,) place of a candidate
    std::vector<double> columns_;  // (d, n_points) in tree order
};

}  // namespace shoal
