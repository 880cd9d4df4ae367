// The nearest of one file's records to the records of another, by a k-d tree, with ties counted exactly.
//
// Bounds need slack for ties alone: rounded subtraction, squaring, weighing and addition in a fixed order are monotone,
// so the rounded distance to a box never exceeds the rounded distance to a record in it. Equal candidates are one point
// with their count: the classes of a release, for which one distance is computed.
#pragma once

#include <vector>

#include "linkage/link_tally.hpp"

namespace shoal {

class LinkTree {
public:
    // counts[i]: records that candidate i stands for.
    LinkTree(Matrix candidates, Metric metric, const index_t* counts);

    // A tally for every record of `records`; truth[i] is its true candidate, -1 where there is none.
    std::vector<LinkTally> tally(Matrix records, const index_t* truth, index_t n_wanted) const;

private:
    struct Node {
        index_t begin, end;   // points in tree order
        index_t left, right;  // -1 for a leaf
        bool all_alike;       // at the same distance from everything
    };

    std::vector<index_t> merge_equal(Matrix X);
    index_t build(Matrix X, index_t begin, index_t end);
    double least_distance(index_t node, const double* point, double limit) const;
    void visit(index_t node, const double* point, index_t n_wanted, LinkTally& tally) const;
    void look_at(const Node& leaf, const double* point, index_t n_wanted, LinkTally& tally) const;
    residue_t fingerprint(index_t place, const double* point) const;
    double value(index_t j, index_t place) const { return columns_[j * n_points() + place]; }
    index_t n_points() const { return static_cast<index_t>(order_.size()); }
    const double* low(index_t node) const { return boxes_.data() + 2 * d_ * node; }
    const double* high(index_t node) const { return low(node) + d_; }

    index_t d_;
    Metric metric_;
    std::vector<index_t> order_;   // (n_points,) lowest candidate at a place of the tree
    std::vector<index_t> counts_;  // (n_points,) records at it
    std::vector<index_t> place_;   // (n,) place of a candidate
    std::vector<double> columns_;  // (d, n_points) in tree order
    std::vector<double> boxes_;    // (n_nodes, 2, d) lower and upper corner
    std::vector<Node> nodes_;
};

}  // namespace shoal
