// The optimal partition of a few records, by dynamic programming over all subsets of them.
#pragma once

#include <vector>

#include "common/matrix.hpp"

namespace shoal {

// (n,) The group of every record where the SSE of groups of k to 2k - 1 records is least; a larger group is never better
// than its halves. Fewer than 2k records are one group. Takes 3^n steps.
std::vector<index_t> optimal_groups(Matrix X, index_t k);

}  // namespace shoal
