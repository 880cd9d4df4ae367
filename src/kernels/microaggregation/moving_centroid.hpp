// The centroid of points that are added and subtracted, exact: rounded once, whatever their order.
//
// Of a column of codes, records are counted by category: a sum of equal terms is their number times the term.
#pragma once

#include <vector>

#include "common/exact_sum.hpp"
#include "common/points.hpp"

namespace shoal {

class MovingCentroid {
public:
    // `X` must outlive the object; where it has codes, units have one member each.
    explicit MovingCentroid(const CodedPoints& X);

    void add(index_t unit, index_t n_members);
    void subtract(index_t unit, index_t n_members);

    // (n_coordinates,) of all points in it, which have so many members.
    const std::vector<double>& coordinates(index_t n_members);

private:
    const CodedPoints& X_;
    std::vector<ExactSum> sums_;     // (d,) of the columns of numbers
    std::vector<index_t> n_points_;  // (n_coordinates,) of the categories
    std::vector<double> mean_;       // (n_coordinates,)
};

}  // namespace shoal
