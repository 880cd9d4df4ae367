#include "microaggregation/optimal_groups.hpp"

#include <bit>
#include <cstdint>

namespace shoal {

namespace {

using Subset = std::uint32_t;  // one bit per record

Subset lowest(Subset records) { return records & (~records + 1); }

// (2^n,) SSE of every subset as one group: the sum of its squared distances over its size.
std::vector<double> squared_errors(Matrix X) {
    std::vector<double> sums(std::size_t{1} << X.n, 0.0);
    for (Subset records = 1; records < sums.size(); ++records) {
        const int first = std::countr_zero(records);
        const Subset others = records ^ lowest(records);
        sums[records] = sums[others];
        for (Subset rest = others; rest; rest ^= lowest(rest))
            sums[records] += squared_distance(X.row(first), X.row(std::countr_zero(rest)), X.d);
    }
    for (Subset records = 1; records < sums.size(); ++records) sums[records] /= std::popcount(records);
    return sums;
}

}  // namespace

std::vector<index_t> optimal_groups(Matrix X, index_t k) {
    if (X.n < 2 * k) return std::vector<index_t>(X.n, 0);
    const std::vector<double> errors = squared_errors(X);
    std::vector<double> least(errors.size(), kInfinity);  // of all partitions of a subset
    std::vector<Subset> first_group(errors.size(), 0);    // of the best of them, that of the subset's lowest record
    least[0] = 0.0;
    for (Subset records = 1; records < errors.size(); ++records) {
        const Subset others = records ^ lowest(records);
        for (Subset rest = others;;
             rest = (rest - 1) & others) {  // all subsets of the others that are not in its group
            const Subset group = records ^ rest;
            const int size = std::popcount(group);
            const double sum = errors[group] + least[rest];
            if (size >= k && size < 2 * k && sum < least[records]) {
                least[records] = sum;
                first_group[records] = group;
            }
            if (rest == 0) break;
        }
    }
    std::vector<index_t> labels(X.n);
    index_t number = 0;
    for (Subset left = static_cast<Subset>(errors.size() - 1); left; left ^= first_group[left], ++number)
        for (Subset group = first_group[left]; group; group ^= lowest(group)) labels[std::countr_zero(group)] = number;
    return labels;
}

}  // namespace shoal
