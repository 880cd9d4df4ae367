// Exact pricing for the set-partitioning bound: all groups of one size whose reduced cost lies below a threshold.
#pragma once

#include <cstdint>
#include <vector>

#include "common/matrix.hpp"

namespace shoal {

// Which groups are wanted: of `size` records, with a reduced cost below the threshold, that grow from the records
// first .. last - 1. The `max_groups` cheapest are kept; at most `max_nodes` subsets are grown.
struct PricingQuery {
    const double* duals;  // (n,)
    index_t size;
    double threshold;
    index_t first, last;
    index_t max_groups, max_nodes;
};

// What a search found. The reduced cost of a group is its SSE less the duals of its records.
struct PricingResult {
    std::vector<std::int32_t> groups;   // (n_groups, size)
    std::vector<double> reduced_costs;  // (n_groups,)
    std::vector<double> least;  // (n,) least reduced cost / size of a group with the record, at most threshold / size
    index_t n_found = 0;        // groups below the threshold, kept or not
    bool complete = true;       // false: the limit of nodes was reached, and groups may be missing
};

class Pricer {
public:
    explicit Pricer(Matrix X);

    index_t n() const { return n_; }

    // Over all records every group comes once. Groups that are not kept still count in `least`.
    PricingResult price(const PricingQuery& query) const;

private:
    index_t n_;
    std::vector<double> distances_;  // (n, n) squared, between all records
    double farthest_ = 0.0;          // the largest of them
};

}  // namespace shoal
