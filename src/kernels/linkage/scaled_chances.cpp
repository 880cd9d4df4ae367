#include "linkage/scaled_chances.hpp"

#include <algorithm>
#include <utility>

namespace shoal {

std::vector<double> scaled_chances(const index_t* persons, const index_t* records, std::vector<double> chances,
                                   double least, index_t n_rounds, void (*hear)()) {
    const auto n_pairs = static_cast<index_t>(chances.size());
    if (n_pairs == 0) return chances;
    const auto n_records = static_cast<std::size_t>(*std::max_element(records, records + n_pairs)) + 1;
    std::vector<double> sums(n_records), next(n_records);
    for (index_t p = 0; p < n_pairs; ++p) sums[records[p]] += chances[p];
    for (index_t round = 0; round < n_rounds; ++round) {
        std::fill(next.begin(), next.end(), 0.0);
        for (double& sum : sums) sum = std::max(sum, kSmallestSum);
        for (index_t start = 0, stop = 0; start < n_pairs; start = stop) {
            double of_person = 0.0;
            for (; stop < n_pairs && persons[stop] == persons[start]; ++stop)
                of_person += chances[stop] /= sums[records[stop]];
            of_person = std::max(of_person, least);
            for (index_t p = start; p < stop; ++p) next[records[p]] += chances[p] /= of_person;
        }
        std::swap(sums, next);
        hear();
    }
    return chances;
}

}  // namespace shoal
