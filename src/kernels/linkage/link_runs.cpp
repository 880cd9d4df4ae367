#include "linkage/link_runs.hpp"

#include <utility>

namespace shoal {

LinkRuns::LinkRuns(Matrix X, Metric metric, const index_t* order, const index_t* counts)
    : n_(X.n), d_(X.d), metric_(std::move(metric)), order_(order, order + X.n), counts_(X.n), place_(X.n),
      columns_(X.n * X.d) {
    for (index_t at = 0; at < n_; ++at) {
        place_[order_[at]] = at;
        counts_[at] = counts[order_[at]];
        for (index_t j = 0; j < d_; ++j) columns_[j * n_ + at] = X.row(order_[at])[j];
    }
}

std::vector<LinkTally> LinkRuns::tally(Matrix records, const index_t* begin, const index_t* end, const index_t* truth,
                                       index_t n_wanted) const {
    std::vector<LinkTally> tallies(records.n);
    for (index_t i = 0; i < records.n; ++i) {
        const double* point = records.row(i);
        if (truth[i] >= 0) {
            double distance = 0.0;
            for (index_t j = 0; j < d_; ++j)
                distance += metric_.term(j, columns_[j * n_ + place_[truth[i]]] - point[j]);
            tallies[i].to_truth = distance;
            tallies[i].fingerprint_of_truth = fingerprint(place_[truth[i]], point);
        }
        look_along(begin[i], end[i], point, n_wanted, tallies[i]);
    }
    return tallies;
}

residue_t LinkRuns::fingerprint(index_t place, const double* point) const {
    residue_t total = 0;
    for (index_t j = 0; j < d_; ++j)
        total = plus(total, metric_.fingerprint_term(j, columns_[j * n_ + place], point[j]));
    return total;
}

void LinkRuns::look_along(index_t begin, index_t end, const double* point, index_t n_wanted, LinkTally& tally) const {
    constexpr index_t kChunk = 256;  // stays in the first-level cache while all columns are added
    const double slack = metric_.slack();
    double distance[kChunk];
    for (index_t from = begin; from < end; from += kChunk) {
        const index_t size = std::min(kChunk, end - from);
        std::fill(distance, distance + size, 0.0);
        for (index_t j = 0; j < d_; ++j) {
            const double* column = columns_.data() + j * n_ + from;
            const double coordinate = point[j], weight = metric_.weights[j];
            for (index_t p = 0; p < size; ++p) {
                const double difference = column[p] - coordinate;
                distance[p] += difference * difference * weight;
            }
        }
        // Most chunks hold no near candidate; this test needs no branch per candidate.
        const double limit = tally.limit(n_wanted, slack);
        int worth_a_look = 0;
        for (index_t p = 0; p < size; ++p) worth_a_look |= distance[p] <= limit;
        if (!worth_a_look) continue;
        for (index_t p = 0; p < size; ++p)
            if (distance[p] <= tally.limit(n_wanted, slack))
                tally.consider(distance[p], order_[from + p], counts_[from + p], slack,
                               [&] { return fingerprint(from + p, point); });
    }
}

}  // namespace shoal
