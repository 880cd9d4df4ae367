// Linear algebra in a fixed order of operations: the same bits on every machine and with any number of threads.
#pragma once

#include <vector>

#include "common/matrix.hpp"

namespace shoal {

// A B, every sum from the first term to the last. (A.n, B.d)
std::vector<double> ordered_product(Matrix A, Matrix B);

struct Eigen {
    std::vector<double> values;   // (d,) largest first
    std::vector<double> vectors;  // (d, d) one in every row, of length 1, its largest component positive
};

// Eigenvalues and eigenvectors of a symmetric matrix, by Jacobi's rotations. Equal values keep the order of columns.
Eigen symmetric_eigen(Matrix A);

}  // namespace shoal
