#include "blocking/candidates.hpp"

#include <limits>

namespace shoal {

std::vector<index_t> nearest_among(Matrix X, Matrix units, const index_t* candidates, index_t width,
                                   const index_t* lists) {
    std::vector<index_t> found(X.n, -1);
    for (index_t i = 0; i < X.n; ++i) {
        double least = std::numeric_limits<double>::infinity();
        const index_t* list = candidates + lists[i] * width;
        for (const index_t* unit = list; unit < list + width; ++unit) {
            if (*unit < 0) continue;
            const double distance = squared_distance(X.row(i), units.row(*unit), X.d);
            if (found[i] < 0 || distance < least) least = distance, found[i] = *unit;
        }
    }
    return found;
}

}  // namespace shoal
