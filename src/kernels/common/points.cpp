#include "common/points.hpp"

#include <cmath>
#include <limits>

namespace shoal {

namespace {

constexpr double kNumbers = std::numeric_limits<double>::quiet_NaN();  // height of a column with several values but 0

}  // namespace

CodedPoints::CodedPoints(Matrix X, bool with_codes) : X_(X) {
    std::vector<index_t> n_hits(X.d, 0);   // records that are not 0
    std::vector<double> heights(X.d, 0.0);  // the only value but 0
    for (index_t i = 0; i < X.n; ++i)
        for (index_t j = 0; j < X.d; ++j) {
            const double x = X.row(i)[j];
            if (x == 0.0) continue;
            if (n_hits[j]++ == 0) heights[j] = x;
            if (x != heights[j]) heights[j] = kNumbers;
        }
    for (index_t j = 0; j < X.d; ++j)
        if (n_hits[j]) coordinates_.push_back(j);
    if (coordinates_.empty() && X.d) coordinates_.push_back(0);
    if (!with_codes) heights.assign(X.d, kNumbers);
    find_columns(n_hits, heights);
    fill_cells();
}

// From left to right: the shortest run of coordinates of one height in which every record has exactly one hit is a column
// of codes; a coordinate that begins no such run is a number.
void CodedPoints::find_columns(const std::vector<index_t>& n_hits, const std::vector<double>& heights) {
    for (index_t first = 0; first < n_coordinates();) {
        const double height = heights[coordinates_[first]];
        index_t last = first, n_records = 0;
        while (last < n_coordinates() && heights[coordinates_[last]] == height && n_records < X_.n)
            n_records += n_hits[coordinates_[last++]];
        const bool coded = n_records == X_.n && X_.n > 0 && is_one_hot(first, last);
        columns_.push_back(coded ? Column{first, last, height} : Column{first, first + 1, 0.0});
        steps_.push_back(coded ? height * height : 0.0);
        has_codes_ |= coded;
        first = columns_.back().last;
    }
}

bool CodedPoints::is_one_hot(index_t first, index_t last) const {
    for (index_t i = 0; i < X_.n; ++i) {
        index_t n_hits = 0;
        for (index_t at = first; at < last; ++at) n_hits += coordinate(i, at) != 0.0;
        if (n_hits != 1) return false;
    }
    return true;
}

void CodedPoints::fill_cells() {
    cells_.reserve(X_.n * columns_.size());
    for (index_t i = 0; i < X_.n; ++i)
        for (const auto& [first, last, height] : columns_) {
            index_t at = first;
            if (height != 0.0)
                while (coordinate(i, at) == 0.0) ++at;
            cells_.push_back(height != 0.0 ? static_cast<double>(at - first) : coordinate(i, first));
        }
}

}  // namespace shoal
