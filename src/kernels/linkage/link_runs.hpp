// The nearest of the candidates that blocking left: for every record a run of the candidates in one order.
#pragma once

#include <vector>

#include "linkage/link_tally.hpp"

namespace shoal {

class LinkRuns {
public:
    // `order` is a permutation of the candidates; runs are of it. counts[i]: records that candidate i stands for.
    LinkRuns(Matrix candidates, Metric metric, const index_t* order, const index_t* counts);

    // A tally for every record of `records` over the places begin[i] .. end[i] - 1 of the order; truth[i] is its true
    // candidate in its run, or -1.
    std::vector<LinkTally> tally(Matrix records, const index_t* begin, const index_t* end, const index_t* truth,
                                 index_t n_wanted) const;

private:
    void look_along(index_t begin, index_t end, const double* point, index_t n_wanted, LinkTally& tally) const;

    residue_t fingerprint(index_t place, const double* point) const;

    index_t n_, d_;
    Metric metric_;
    std::vector<index_t> order_;   // (n,)
    std::vector<index_t> counts_;  // (n,) in this order
    std::vector<index_t> place_;   // (n,)
    std::vector<double> columns_;  // (d, n) in this order
};

}  // namespace shoal
