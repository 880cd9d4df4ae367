#include "microaggregation/controlled_rounding.hpp"

#include <algorithm>

namespace shoal {

std::vector<index_t> rounded_up(const double* rests, const double* sizes, const double* draws, index_t n) {
    std::vector<index_t> up(n);
    const double farthest = n ? 0.75 * *std::max_element(sizes, sizes + n) : 0.0;
    double moved = 0.0;  // the total, from where it was
    for (index_t i = 0; i < n; ++i) {
        const double below = moved - sizes[i] * rests[i];
        const double above = below + sizes[i];
        const bool goes_up = draws[i] < rests[i];
        up[i] = goes_up ? above <= farthest : below < -farthest;
        moved = up[i] ? above : below;
    }
    return up;
}

}  // namespace shoal
