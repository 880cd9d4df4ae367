// What one record's links come to: its nearest candidate, and how many lie before its true one.
//
// Lower is nearer, whatever the measure. Ties are counted exactly: two measures are equal where they are within
// rounding of each other and have the same fingerprint (metric.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "metric.hpp"

namespace shoal {

struct LinkTally {
    double to_truth = std::numeric_limits<double>::quiet_NaN();  // measure to the true candidate; NaN: it is none
    double nearest = std::numeric_limits<double>::infinity();
    residue_t print_of_truth = 0;
    residue_t print_of_nearest = 0;
    index_t record = -1;      // the nearest candidate; the lowest on ties, -1 where there is none
    index_t n_nearest = 0;    // candidates as near as the nearest
    index_t n_closer = 0;     // candidates nearer than the true one; counted up to n_wanted only
    index_t n_as_near = 0;    // candidates as near as the true one, itself among them

    // `count` candidates at the same measure, of which `first` is the lowest; `print()` is their fingerprint.
    template <class Print>
    void consider(double measure, index_t first, index_t count, double slack, Print print) {
        if (is_near(measure, nearest, slack) && print() == print_of_nearest) {
            record = std::min(record, first);
            n_nearest += count;
        } else if (measure < nearest) {
            nearest = measure;
            print_of_nearest = print();
            record = first;
            n_nearest = count;
        }
        if (is_near(measure, to_truth, slack) && print() == print_of_truth) {
            n_as_near += count;
        } else if (measure < to_truth) {
            n_closer += count;
        }
    }

    // Nothing beyond can change the tally, if only the first n_wanted places matter.
    double limit(index_t n_wanted, double slack) const {
        return (std::isnan(to_truth) || n_closer >= n_wanted ? nearest : to_truth) * (1.0 + slack);
    }

private:
    static bool is_near(double one, double other, double slack) {
        return std::isfinite(other) && std::abs(one - other) <= slack * other;
    }
};

}  // namespace shoal
