#include "microaggregation/farthest_from_centroid.hpp"

#include <cmath>

namespace shoal {

index_t FarthestFromCentroid::farthest_from(const std::vector<double>& centroid) {
    if (const auto found = active_.farthest_from(centroid.data())) return found->second;
    const index_t n = X_.points().cells.n;
    Candidate farthest{-1.0, n};
    set_added(centroid);
    const bool is_stale = n_looked_at_ > static_cast<std::size_t>(active_.n_points());
    if (!old_centroid_.empty() && !is_stale && search_list(centroid, farthest)) return farthest.second;
    rebuild_list(centroid);
    farthest = {-1.0, n};
    if (search_list(centroid, farthest)) return farthest.second;
    // More points are equally far than the list holds: all of them are compared.
    for (const index_t record : points_) consider(active_.lowest_like(record), centroid, farthest);
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
    const double rounding = 1e-15 * static_cast<double>(X_.n_coordinates() + 16);
    double distance = 0.0;
    if (!X_.has_codes()) {
        distance = squared_distance(cells, centroid.data(), X_.n_coordinates());
        return distance + rounding * distance;
    }
    for (std::size_t j = 0; j < X_.columns().size(); ++j) {
        const auto& [first, last, height] = X_.columns()[j];
        if (height != 0.0)
            distance += added_[first + static_cast<index_t>(cells[j])];
        else
            distance += (cells[j] - centroid[first]) * (cells[j] - centroid[first]);
    }
    return distance + rounding * (distance + squares_);
}

void FarthestFromCentroid::rebuild_list(const std::vector<double>& centroid) {
    listed_.clear();
    // About as much work to make the list as its entries will save.
    const auto wanted = static_cast<std::size_t>(64 + 12 * std::sqrt(static_cast<double>(active_.n_points()) * k_));
    beyond_ = -1.0;
    drop_empty_points();
    old_centroid_ = centroid;
    for (const index_t record : points_) {
        const double bound = upper_bound(record, centroid);
        if (bound < beyond_) continue;
        listed_.emplace_back(bound, record);
        if (listed_.size() == 2 * wanted) keep(wanted);
    }
    if (listed_.size() > wanted) keep(wanted);
    if (beyond_ >= 0) beyond_ = std::sqrt(beyond_);
    std::sort(listed_.begin(), listed_.end(), farther);
    for (auto& [distance, record] : listed_) distance = std::sqrt(distance);
    head_ = 0;
    n_looked_at_ = 0;
}

void FarthestFromCentroid::drop_empty_points() {
    if (old_centroid_.empty())
        for (index_t i = 0; i < X_.points().cells.n; ++i)
            if (active_.is_lowest_like(i)) points_.push_back(i);
    std::erase_if(points_, [&](index_t record) { return active_.lowest_like(record) < 0; });
}

// The farthest of the list; the others are beyond it.
void FarthestFromCentroid::keep(std::size_t n_listed) {
    std::nth_element(listed_.begin(), listed_.begin() + n_listed, listed_.end(), farther);
    beyond_ = listed_[n_listed].first;
    listed_.resize(n_listed);
}

// Searches the list; false where a record that is not listed could be as far.
bool FarthestFromCentroid::search_list(const std::vector<double>& centroid, Candidate& farthest) {
    const double way = std::sqrt(squared_distance(centroid.data(), old_centroid_.data(), X_.n_coordinates()));
    // Distances are rounded: a relative error of some d units in the last place, allowed for many times over.
    const double slack = 1.0 + 1e-15 * static_cast<double>(X_.n_coordinates() + 16);
    auto out_of_reach = [&](double old_distance) { return (old_distance + way) * slack < std::sqrt(farthest.first); };
    while (head_ < listed_.size() && active_.lowest_like(listed_[head_].second) < 0) ++head_;
    for (std::size_t at = head_; at < listed_.size(); ++at) {
        if (farthest.first >= 0 && out_of_reach(listed_[at].first)) return true;
        ++n_looked_at_;
        const index_t record = active_.lowest_like(listed_[at].second);
        if (record >= 0) consider(record, centroid, farthest);
    }
    return beyond_ < 0 || (farthest.first >= 0 && out_of_reach(beyond_));
}

}  // namespace shoal
