#include "blocking/kohonen.hpp"

#include <cmath>
#include <limits>

namespace shoal {

namespace {

index_t nearest_unit(const std::vector<double>& units, const double* x, index_t d) {
    index_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    const auto n = static_cast<index_t>(units.size()) / d;
    for (index_t u = 0; u < n; ++u) {
        double distance = 0.0;
        for (index_t j = 0; j < d; ++j) {
            const double gap = x[j] - units[u * d + j];
            distance += std::isnan(gap) ? 0.0 : gap * gap;
        }
        if (distance < least) least = distance, nearest = u;
    }
    return nearest;
}

}  // namespace

std::vector<double> kohonen_steps(Matrix start, Matrix X, Neighborhood neighborhood, double rate) {
    std::vector<double> units(start.data, start.data + start.n * start.d);
    for (index_t i = 0; i < X.n; ++i) {
        const double* x = X.row(i);
        const index_t winner = nearest_unit(units, x, X.d);
        const index_t row = winner / neighborhood.n_columns, column = winner % neighborhood.n_columns;
        for (index_t r = 0; r < neighborhood.n_rows; ++r) {
            const index_t shift = neighborhood.is_hexagonal ? r % 2 - row % 2 : 0;
            const double* by_column =
                neighborhood.columns + (shift + 1) * neighborhood.n_columns * neighborhood.n_columns;
            const double by_row = rate * neighborhood.rows[r * neighborhood.n_rows + row];
            for (index_t c = 0; c < neighborhood.n_columns; ++c) {
                const double weight = by_row * by_column[c * neighborhood.n_columns + column];
                double* unit = units.data() + (r * neighborhood.n_columns + c) * X.d;
                for (index_t j = 0; j < X.d; ++j)
                    if (!std::isnan(x[j])) unit[j] += weight * (x[j] - unit[j]);
            }
        }
    }
    return units;
}

}  // namespace shoal
