// Where a blank or missing value matches every value: which cells to blank.
#pragma once

#include <vector>

#include "generalization/combinations.hpp"

namespace shoal {

// (n,) The columns to blank in every combination so that each of its records matches k or more. Fewest cells come first;
// of several combinations that lack records under one pattern the one that lacks most is blanked first, and combinations
// that match k records by blanks of others are not blanked. All records together must be k or more.
std::vector<Columns> wildcard_blanks(const Combinations& all, const std::vector<Columns>& patterns, index_t k);

}  // namespace shoal
