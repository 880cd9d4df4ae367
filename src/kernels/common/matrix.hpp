// Views of arrays that the caller owns. No kernel takes a Python object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace shoal {

using index_t = std::int64_t;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Records are rows: value j of record i is data[i * d + j].
struct Matrix {
    const double* data;
    index_t n;
    index_t d;

    const double* row(index_t i) const { return data + static_cast<std::size_t>(i) * static_cast<std::size_t>(d); }
};

// Summed column by column in order, as in every kernel.
inline double squared_distance(const double* a, const double* b, index_t d) {
    double distance = 0.0;
    for (index_t j = 0; j < d; ++j) distance += (a[j] - b[j]) * (a[j] - b[j]);
    return distance;
}

}  // namespace shoal
