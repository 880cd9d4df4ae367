// Steps of Kohonen's sequential training: every record in turn moves its nearest unit, and the units around that, towards itself.
#pragma once

#include <vector>

#include "common/matrix.hpp"

namespace shoal {

// How much a unit moves with another: the product of a weight of their rows and one of their columns. In a hexagonal
// lattice odd rows are shifted by half a step, so the weight of two columns depends on the rows: one table for each
// difference of parities -1, 0, 1.
struct Neighborhood {
    const double* rows;     // (n_rows, n_rows)
    const double* columns;  // (3, n_columns, n_columns)
    index_t n_rows, n_columns;
    bool is_hexagonal;
};

// The units after all records of X came in their order, at one rate; lower unit first on ties, a NaN moves no unit.
std::vector<double> kohonen_steps(Matrix units, Matrix X, Neighborhood neighborhood, double rate);

}  // namespace shoal
