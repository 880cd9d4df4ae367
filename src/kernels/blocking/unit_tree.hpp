// The nearest of a few thousand units to each of many records, by a k-d tree over the units; exact, also for ties.
#pragma once

#include <utility>
#include <vector>

#include "common/kd_tree.hpp"

namespace shoal {

class UnitTree {
public:
    explicit UnitTree(Matrix units);

    // The unit nearest to each record, the lower one on ties. Where a value of a record is NaN, distances go over the
    // others. `hints` (n, a unit that may be near) changes the time and nothing else.
    std::vector<index_t> nearest(Matrix X, const index_t* hints) const;

    // The same with one unit excluded for every record, (n,); there must be two units.
    std::vector<index_t> nearest_but(Matrix X, const index_t* excluded) const;

private:
    using Place = std::pair<double, index_t>;  // (squared distance, unit)

    void look(const double* x, index_t node, index_t excluded, Place& best) const;
    double distance(const double* x, index_t place) const;
    double distance_to_box(const double* x, index_t node) const;

    index_t n_, d_;
    KdTree tree_;
    std::vector<index_t> place_;  // (n,) place of a unit
    std::vector<double> points_;  // (n, d) in tree order
};

}  // namespace shoal
