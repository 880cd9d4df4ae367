// Exact pricing for the set-partitioning bound: all groups of one size whose reduced cost lies below a threshold.
#pragma once

#include <cstdint>
#include <vector>

#include "common/matrix.hpp"

namespace shoal {

// What a search found. The reduced cost of a group is its SSE less the duals of its records.
struct Priced {
    std::vector<std::int32_t> groups;   // (n_groups, size)
    std::vector<double> reduced_costs;  // (n_groups,)
    std::vector<double> least;          // (n,) least reduced cost / size of a group with the record, at most threshold / size
    index_t n_found = 0;                // groups below the threshold, kept or not
    bool complete = true;               // false: the limit of nodes was reached, and groups may be missing
};

class Pricer {
public:
    explicit Pricer(Matrix X);

    index_t n() const { return n_; }

    // Groups of `size` records with reduced cost below the threshold that grow from the records first .. last - 1;
    // over all records every such group comes once. The `most_groups` cheapest are kept, the rest still count in
    // `least`; at most `most_nodes` subsets are grown.
    Priced price(const double* duals, index_t size, double threshold, index_t first, index_t last,
                 index_t most_groups, index_t most_nodes) const;

private:
    index_t n_;
    std::vector<double> distances_;  // (n, n) squared, between all records
    double farthest_ = 0.0;          // the largest of them
};

}  // namespace shoal
