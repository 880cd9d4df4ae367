// Points whose nominal columns are codes: one number per record where one-hot coordinates take one per category.
//
// A one-hot column has the coordinate h for the category of a record and 0 for all others. Two records of different
// categories differ by h in two coordinates, so their squared distance grows by h^2 twice, one addition after the other;
// all coordinates between add 0. With the same two additions, codes give the distance of one-hot coordinates to the
// last bit.
#pragma once

#include <vector>

#include "common/matrix.hpp"

namespace shoal {

struct Points {
    Matrix cells;         // (n, d) numbers and codes
    const double* steps;  // (d,) h^2 of a column of codes, 0 of a column of numbers
};

// Squared distance after one more column. Every kernel adds in this way.
inline double with_column(double distance, double a, double b, double step) {
    if (step == 0.0) return distance + (a - b) * (a - b);
    return a == b ? distance : distance + step + step;
}

inline double squared_distance(Points X, const double* a, const double* b) {
    double distance = 0.0;
    for (index_t j = 0; j < X.cells.d; ++j) distance = with_column(distance, a[j], b[j], X.steps[j]);
    return distance;
}

// The points of a matrix: its one-hot columns as codes, without coordinates that are 0 for all records.
class CodedPoints {
public:
    struct Column {
        index_t first, last;  // its coordinates: one for numbers, one per category for codes
        double height;        // h; 0 for numbers
    };

    // X must outlive the object. `with_codes` false: all columns are numbers.
    explicit CodedPoints(Matrix X, bool with_codes = true);
    CodedPoints(const CodedPoints&) = delete;
    CodedPoints& operator=(const CodedPoints&) = delete;

    Points points() const { return {{cells_.data(), X_.n, static_cast<index_t>(columns_.size())}, steps_.data()}; }
    const std::vector<Column>& columns() const { return columns_; }
    bool has_codes() const { return has_codes_; }

    index_t n_coordinates() const { return static_cast<index_t>(coordinates_.size()); }
    double coordinate(index_t record, index_t at) const { return X_.row(record)[coordinates_[at]]; }

    // To a point that need not be a record, coordinate by coordinate.
    double squared_distance_to(const double* point, index_t record) const {
        double distance = 0.0;
        const double* x = X_.row(record);
        for (index_t at = 0; at < n_coordinates(); ++at) {
            const double difference = x[coordinates_[at]] - point[at];
            distance += difference * difference;
        }
        return distance;
    }

private:
    void find_columns(const std::vector<index_t>& n_hits, const std::vector<double>& heights);
    bool is_one_hot(index_t first, index_t last) const;
    void fill_cells();

    Matrix X_;
    std::vector<index_t> coordinates_;  // columns of X that are not 0 for all records
    std::vector<Column> columns_;
    std::vector<double> cells_;  // (n, d)
    std::vector<double> steps_;  // (d,)
    bool has_codes_ = false;
};

}  // namespace shoal
