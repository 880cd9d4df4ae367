// Exact, order-free sums over records: of columns, of groups, of squared errors.
#pragma once

#include <utility>
#include <vector>

#include "common/exact_sum.hpp"
#include "common/matrix.hpp"

namespace shoal {

// Least and largest value of every column, (2, d). A value that is not finite makes its column's largest infinite.
std::vector<double> column_ranges(Matrix X);

// Records by their label, ascending within a label, (n,).
std::vector<index_t> order_by_label(const index_t* labels, index_t n, index_t n_groups);

// Sum of every column of X.
std::vector<double> column_sums(Matrix X);

// Sum of (x - center)^2 for every column of X.
std::vector<double> column_squares(Matrix X, const double* center);

// Sums of columns whose records come piece by piece.
class ExactSums {
public:
    explicit ExactSums(index_t d) : sums_(d) {}
    explicit ExactSums(std::vector<ExactSum> sums) : sums_(std::move(sums)) {}

    void add(Matrix X);

    // Sums of as many columns.
    void add(const ExactSums& other);

    // (x - center)^2 of every record.
    void add_squares(Matrix X, const double* center);

    std::vector<double> values() const;

    const std::vector<ExactSum>& sums() const { return sums_; }

private:
    std::vector<ExactSum> sums_;
};

// Sum of every group and column, (n_groups, d).
std::vector<double> group_sums(Matrix X, const index_t* labels, index_t n_groups);

// Sum over all records of the squared distance to the mean of their group.
double within_groups_sse(Matrix X, const index_t* labels, index_t n_groups);

// The same where columns with a height are codes of one-hot coordinates.
double within_groups_sse(Matrix cells, const double* heights, const index_t* labels, index_t n_groups);

}  // namespace shoal
