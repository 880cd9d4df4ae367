#include "microaggregation/moving_centroid.hpp"

namespace shoal {

MovingCentroid::MovingCentroid(const CodedPoints& X)
    : X_(X), sums_(X.columns().size()), n_points_(X.n_coordinates(), 0), mean_(X.n_coordinates()) {}

void MovingCentroid::add(index_t unit, index_t n_members) {
    const double* cells = X_.points().cells.row(unit);
    for (std::size_t j = 0; j < sums_.size(); ++j)
        if (X_.columns()[j].height != 0.0)
            ++n_points_[X_.columns()[j].first + static_cast<index_t>(cells[j])];
        else
            sums_[j].add(static_cast<double>(n_members) * cells[j]);
}

void MovingCentroid::subtract(index_t unit, index_t n_members) {
    const double* cells = X_.points().cells.row(unit);
    for (std::size_t j = 0; j < sums_.size(); ++j)
        if (X_.columns()[j].height != 0.0)
            --n_points_[X_.columns()[j].first + static_cast<index_t>(cells[j])];
        else
            sums_[j].subtract(static_cast<double>(n_members) * cells[j]);
}

const std::vector<double>& MovingCentroid::coordinates(index_t n_members) {
    for (std::size_t j = 0; j < sums_.size(); ++j) {
        const auto& [first, last, height] = X_.columns()[j];
        if (height == 0.0) mean_[first] = sums_[j].value() / static_cast<double>(n_members);
        else
            for (index_t at = first; at < last; ++at)
                mean_[at] = static_cast<double>(n_points_[at]) * height / static_cast<double>(n_members);
    }
    return mean_;
}

}  // namespace shoal
