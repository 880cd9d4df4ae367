// What one record's links come to: its nearest candidate, and how many lie before its true one.
//
// Lower is nearer, whatever the measure. Ties are counted exactly: measures are computed in one fixed order, so
// candidates that are alike have equal bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "matrix.hpp"

namespace shoal {

struct LinkTally {
    double to_truth = std::numeric_limits<double>::quiet_NaN();  // measure to the true candidate; NaN: it is none
    double nearest = std::numeric_limits<double>::infinity();
    index_t record = -1;      // the nearest candidate; the lowest on ties, -1 where there is none
    index_t n_nearest = 0;    // candidates as near as the nearest
    index_t n_closer = 0;     // candidates nearer than the true one; counted up to n_wanted only
    index_t n_as_near = 0;    // candidates as near as the true one, itself among them

    // `count` candidates at the same measure, of which `first` is the lowest.
    void consider(double measure, index_t first, index_t count) {
        if (measure < nearest) {
            nearest = measure;
            record = first;
            n_nearest = 0;
        }
        if (measure == nearest) {
            record = std::min(record, first);
            n_nearest += count;
        }
        if (measure < to_truth) n_closer += count;
        if (measure == to_truth) n_as_near += count;
    }

    // Nothing beyond can change the tally, if only the first n_wanted places matter.
    double limit(index_t n_wanted) const {
        return std::isnan(to_truth) || n_closer >= n_wanted ? nearest : to_truth;
    }
};

}  // namespace shoal
