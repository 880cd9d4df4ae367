// Chances of pairs of persons and records, scaled in turns to the sums that a one-to-one assignment has (Sinkhorn &
// Knopp 1967, doi:10.2140/pjm.1967.21.343).
#pragma once

#include <vector>

#include "common/matrix.hpp"

namespace shoal {

constexpr double kSmallestSum = 1e-300;  // of the chances of a record

// Pairs are sorted by person. In each round the chances of a record are scaled to a sum of 1, then those of a person to
// a sum of 1, if their sum is at least `least`; if it is less, they are divided by `least`. `hear` is called in between.
std::vector<double> scaled_chances(const index_t* persons, const index_t* records, std::vector<double> chances,
                                   double least, index_t n_rounds, void (*hear)());

}  // namespace shoal
