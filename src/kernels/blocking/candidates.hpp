// The nearest unit to a record among its candidates.
#pragma once

#include <vector>

#include "common/matrix.hpp"

namespace shoal {

// For each record the nearest unit in row lists[i] of `candidates` (n_lists, width; -1 is none, each list has one);
// the first on ties.
std::vector<index_t> nearest_among(Matrix X, Matrix units, const index_t* candidates, index_t width,
                                   const index_t* lists);

}  // namespace shoal
