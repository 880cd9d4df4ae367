// Views of arrays that somebody else owns. No kernel takes a Python object.
#pragma once

#include <cstddef>
#include <cstdint>

namespace shoal {

using index_t = std::int64_t;

// Records are rows: value j of record i is data[i * d + j].
struct Matrix {
    const double* data;
    index_t n;
    index_t d;

    const double* row(index_t i) const { return data + static_cast<std::size_t>(i) * static_cast<std::size_t>(d); }
};

}  // namespace shoal
