// What one record's links come to: its nearest candidate, and how many lie before its true one.
//
// Lower is nearer, whatever the measure. Ties are counted exactly: two measures are equal where they are within
// rounding of each other and have the same fingerprint (metric.hpp). Measures that are not equal but within rounding of
// each other are in the order of their rounded values: of those that are equal, the lowest speaks for all. So no figure
// depends on the order in which candidates are looked at.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "linkage/metric.hpp"

namespace shoal {

// Candidates of equal measure.
struct EquallyNear {
    double measure;  // the lowest of the rounded ones
    index_t record;  // the lowest of them
    index_t count;
    residue_t print;

    void grow(double other, index_t first, index_t more) {
        measure = std::min(measure, other);
        record = std::min(record, first);
        count += more;
    }

    bool operator<(const EquallyNear& other) const {
        return std::pair(measure, record) < std::pair(other.measure, other.record);
    }
};

struct LinkTally {
    double to_truth = std::numeric_limits<double>::quiet_NaN();  // measure to the true candidate; NaN: it is none
    residue_t print_of_truth = 0;
    EquallyNear nearest{std::numeric_limits<double>::infinity(), -1, 0, 0};  // record -1 where there is no candidate
    std::vector<EquallyNear> rivals;  // others within rounding of the nearest; hardly ever any
    index_t n_closer = 0;     // candidates nearer than the true one; counted up to n_wanted only
    index_t n_as_near = 0;    // candidates as near as the true one, itself among them

    // `count` candidates at the same measure, of which `first` is the lowest; `print()` is their fingerprint.
    template <class Print>
    void consider(double measure, index_t first, index_t count, double slack, Print print) {
        if (is_near(measure, nearest.measure, slack)) {
            join(measure, first, count, print());
        } else if (measure < nearest.measure) {
            nearest = {measure, first, count, print()};
            rivals.clear();
        }
        if (is_near(measure, to_truth, slack) && print() == print_of_truth) {
            n_as_near += count;
        } else if (measure < to_truth) {
            n_closer += count;
        }
    }

    // Nothing beyond can change the tally, if only the first n_wanted places matter.
    double limit(index_t n_wanted, double slack) const {
        return (std::isnan(to_truth) || n_closer >= n_wanted ? nearest.measure : to_truth) * (1.0 + slack);
    }

private:
    // Within rounding of the nearest: equal to it or to a rival, or a rival of its own.
    void join(double measure, index_t first, index_t count, residue_t print) {
        if (print == nearest.print) return nearest.grow(measure, first, count);
        auto rival = std::find_if(rivals.begin(), rivals.end(), [&](const auto& other) { return other.print == print; });
        if (rival == rivals.end()) {
            rival = rivals.insert(rival, {measure, first, count, print});
        } else {
            rival->grow(measure, first, count);
        }
        if (*rival < nearest) std::swap(*rival, nearest);
    }

    static bool is_near(double one, double other, double slack) {
        return std::isfinite(other) && std::abs(one - other) <= slack * other;
    }
};

}  // namespace shoal
