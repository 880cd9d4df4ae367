// The links of one record: its nearest candidate, and how many candidates are nearer than the true one.
//
// Lower is nearer, whatever the measure. Ties are counted exactly: two measures are equal where they are within
// rounding of each other and have the same fingerprint (metric.hpp). Measures that are not equal but within rounding of
// each other are in the order of their rounded values, the lowest of those that are equal. So no figure depends on the
// order in which candidates are visited.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "linkage/metric.hpp"

namespace shoal {

// Candidates of equal measure.
struct TiedCandidates {
    double measure;  // the lowest of the rounded ones
    index_t record;  // the lowest of them
    index_t count;
    residue_t fingerprint;

    void grow(double other, index_t first, index_t more) {
        measure = std::min(measure, other);
        record = std::min(record, first);
        count += more;
    }

    bool operator<(const TiedCandidates& other) const {
        return std::pair(measure, record) < std::pair(other.measure, other.record);
    }
};

struct LinkTally {
    double to_truth = std::numeric_limits<double>::quiet_NaN();  // measure to the true candidate; NaN: it is none
    residue_t fingerprint_of_truth = 0;
    TiedCandidates nearest{std::numeric_limits<double>::infinity(), -1, 0, 0};  // record -1 where there is no candidate
    std::vector<TiedCandidates> rivals;  // others within rounding of the nearest; hardly ever any
    index_t n_closer = 0;                // candidates nearer than the true one; counted up to n_wanted only
    index_t n_as_near = 0;               // candidates as near as the true one, itself among them

    // `count` candidates at the same measure, of which `first` is the lowest; `print()` is their fingerprint.
    template <class Fingerprint>
    void consider(double measure, index_t first, index_t count, double slack, Fingerprint fingerprint) {
        if (is_near(measure, nearest.measure, slack)) {
            join(measure, first, count, fingerprint());
        } else if (measure < nearest.measure) {
            nearest = {measure, first, count, fingerprint()};
            rivals.clear();
        }
        if (is_near(measure, to_truth, slack) && fingerprint() == fingerprint_of_truth) {
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
    void join(double measure, index_t first, index_t count, residue_t fingerprint) {
        if (fingerprint == nearest.fingerprint) return nearest.grow(measure, first, count);
        auto rival = std::find_if(rivals.begin(), rivals.end(),
                                  [&](const auto& other) { return other.fingerprint == fingerprint; });
        if (rival == rivals.end()) {
            rival = rivals.insert(rival, {measure, first, count, fingerprint});
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
