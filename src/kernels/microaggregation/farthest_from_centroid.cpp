#include "microaggregation/farthest_from_centroid.hpp"

#include <cmath>

namespace shoal {

index_t FarthestFromCentroid::farthest_from(const std::vector<double>& centroid, index_t n_active) {
    const index_t n = X_.points().cells.n;
    Candidate farthest{-1.0, n};
    set_added(centroid);
    const bool is_stale = n_looked_at_ > static_cast<std::size_t>(n_active);
    if (!old_centroid_.empty() && !is_stale && search_list(centroid, farthest)) return farthest.second;
    rebuild_list(centroid, n_active);
    farthest = {-1.0, n};
    if (search_list(centroid, farthest)) return farthest.second;
    // More records are equally far than the list holds: all active records are compared.
    for (index_t i = 0; i < n; ++i)
        if (is_active(i)) consider(i, centroid, farthest);
    return farthest.second;
}

void FarthestFromCentroid::consider(index_t record, const std::vector<double>& centroid, Candidate& farthest) const {
    if (X_.has_codes() && upper_bound(record, centroid) < farthest.first) return;
    const Candidate candidate{X_.squared_distance_to(centroid.data(), record), record};
    if (farther(candidate, farthest)) farthest = candidate;
}

// A category adds the squares of the centroid's coordinates of all others, and the square of what is left of its own.
void FarthestFromCentroid::set_added(const std::vector<double>& centroid) {
    squares_ = 0.0;
    for (const auto& [first, last, height] : X_.columns()) {
        if (height == 0.0) continue;
        double squares = 0.0;
        for (index_t at = first; at < last; ++at) squares += centroid[at] * centroid[at];
        for (index_t at = first; at < last; ++at)
            added_[at] = squares - centroid[at] * centroid[at] + (height - centroid[at]) * (height - centroid[at]);
        squares_ += squares + height * height;
    }
}

// Not below the squared distance to the centroid, however either is rounded.
double FarthestFromCentroid::upper_bound(index_t record, const std::vector<double>& centroid) const {
    const double* cells = X_.points().cells.row(record);
    double distance = 0.0;
    for (std::size_t j = 0; j < X_.columns().size(); ++j) {
        const auto& [first, last, height] = X_.columns()[j];
        if (height != 0.0) distance += added_[first + static_cast<index_t>(cells[j])];
        else distance += (cells[j] - centroid[first]) * (cells[j] - centroid[first]);
    }
    return distance + 1e-15 * static_cast<double>(X_.n_coordinates() + 16) * (distance + squares_);
}

void FarthestFromCentroid::rebuild_list(const std::vector<double>& centroid, index_t n_active) {
    old_centroid_ = centroid;
    listed_.clear();
    listed_.reserve(n_active);
    for (index_t i = 0; i < X_.points().cells.n; ++i)
        if (is_active(i)) listed_.emplace_back(std::sqrt(upper_bound(i, centroid)), i);
    // About as much work to make the list as its entries will save.
    const auto wanted = static_cast<std::size_t>(64 + 8 * std::sqrt(static_cast<double>(n_active) * k_));
    beyond_ = -1.0;
    if (wanted < listed_.size()) {
        std::nth_element(listed_.begin(), listed_.begin() + wanted, listed_.end(), farther);
        beyond_ = listed_[wanted].first;
        listed_.resize(wanted);
    }
    std::sort(listed_.begin(), listed_.end(), farther);
    head_ = 0;
    n_looked_at_ = 0;
}

// Searches the list; false where a record that is not listed could be as far.
bool FarthestFromCentroid::search_list(const std::vector<double>& centroid, Candidate& farthest) {
    const double way = std::sqrt(squared_distance(centroid.data(), old_centroid_.data(), X_.n_coordinates()));
    // Distances are rounded: a relative error of some d units in the last place, allowed for many times over.
    const double slack = 1.0 + 1e-15 * static_cast<double>(X_.n_coordinates() + 16);
    auto out_of_reach = [&](double old_distance) { return (old_distance + way) * slack < std::sqrt(farthest.first); };
    while (head_ < listed_.size() && !is_active(listed_[head_].second)) ++head_;
    for (std::size_t at = head_; at < listed_.size(); ++at) {
        if (farthest.first >= 0 && out_of_reach(listed_[at].first)) return true;
        ++n_looked_at_;
        const index_t record = listed_[at].second;
        if (!is_active(record)) continue;
        consider(record, centroid, farthest);
    }
    return beyond_ < 0 || (farthest.first >= 0 && out_of_reach(beyond_));
}

}  // namespace shoal
