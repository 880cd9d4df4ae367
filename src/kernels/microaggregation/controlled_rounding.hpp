// Controlled rounding: numbers go to the step below or above, and their total hardly moves.
#pragma once

#include <vector>

#include "common/matrix.hpp"

namespace shoal {

// Which numbers go up, (n,). A number lies rests[i] (0 to below 1) of its own step above the step below, and its step
// adds sizes[i] to the total. It goes up where draws[i] is below its rest, unless that would carry the total farther
// than three quarters of the largest size; then it goes the other way, which never does.
std::vector<index_t> rounded_up(const double* rests, const double* sizes, const double* draws, index_t n);

}  // namespace shoal
