#include "common/linear_algebra.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace shoal {

std::vector<double> ordered_product(Matrix A, Matrix B) {
    std::vector<double> product(static_cast<std::size_t>(A.n) * B.d, 0.0);
    for (index_t i = 0; i < A.n; ++i) {
        double* sums = product.data() + i * B.d;
        for (index_t k = 0; k < A.d; ++k) {
            const double a = A.row(i)[k];
            const double* b = B.row(k);
            for (index_t j = 0; j < B.d; ++j) sums[j] += a * b[j];
        }
    }
    return product;
}

namespace {

constexpr int kSweeps = 60;  // a handful is enough; this ends what rounding would keep going

// One rotation, after which entry (p, q) is 0. Rows of V become the eigenvectors.
void rotate(std::vector<double>& A, std::vector<double>& V, index_t d, index_t p, index_t q) {
    const double apq = A[p * d + q];
    const double theta = (A[q * d + q] - A[p * d + p]) / (2.0 * apq);
    const double t = (theta >= 0.0 ? 1.0 : -1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1.0));
    const double c = 1.0 / std::sqrt(t * t + 1.0), s = t * c;
    for (index_t k = 0; k < d; ++k) {
        const double akp = A[k * d + p], akq = A[k * d + q];
        A[k * d + p] = c * akp - s * akq;
        A[k * d + q] = s * akp + c * akq;
    }
    for (index_t k = 0; k < d; ++k) {
        const double apk = A[p * d + k], aqk = A[q * d + k];
        A[p * d + k] = c * apk - s * aqk;
        A[q * d + k] = s * apk + c * aqk;
        const double vpk = V[p * d + k], vqk = V[q * d + k];
        V[p * d + k] = c * vpk - s * vqk;
        V[q * d + k] = s * vpk + c * vqk;
    }
    A[p * d + q] = A[q * d + p] = 0.0;
}

// Whether |A[p, q]| is no more than rounding beside its diagonal entries.
bool is_small(const std::vector<double>& A, index_t d, index_t p, index_t q) {
    return std::abs(A[p * d + q]) <= 1e-18 * (std::abs(A[p * d + p]) + std::abs(A[q * d + q]));
}

}  // namespace

Eigen symmetric_eigen(Matrix matrix) {
    const index_t d = matrix.n;
    std::vector<double> A(matrix.data, matrix.data + d * d), V(d * d, 0.0);
    for (index_t i = 0; i < d; ++i) V[i * d + i] = 1.0;
    bool done = false;
    for (int sweep = 0; sweep < kSweeps && !done; ++sweep) {
        done = true;
        for (index_t p = 0; p < d; ++p)
            for (index_t q = p + 1; q < d; ++q)
                if (!is_small(A, d, p, q)) rotate(A, V, d, p, q), done = false;
    }

    std::vector<index_t> order(d);
    std::iota(order.begin(), order.end(), index_t{0});
    std::stable_sort(order.begin(), order.end(), [&](index_t a, index_t b) { return A[a * d + a] > A[b * d + b]; });
    Eigen found{std::vector<double>(d), std::vector<double>(d * d)};
    for (index_t i = 0; i < d; ++i) {
        const double* v = V.data() + order[i] * d;
        const double* largest =
            std::max_element(v, v + d, [](double a, double b) { return std::abs(a) < std::abs(b); });
        const double sign = *largest < 0.0 ? -1.0 : 1.0;
        found.values[i] = A[order[i] * d + order[i]];
        for (index_t j = 0; j < d; ++j) found.vectors[i * d + j] = sign * v[j];
    }
    return found;
}

}  // namespace shoal
