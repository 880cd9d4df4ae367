// The active record farthest from the centroid of the active records, while the centroid moves a little at a time.
//
// In one or two columns a tree finds it. Otherwise the records are sorted once by their distance to some old centroid.
// None can be farther from the new one than its old distance plus the distance the centroid has moved, so the first few
// of the list suffice; when too many have to be compared, the list is rebuilt.
//
// Of columns of codes, what each category adds to the distance is computed once per centroid. The sum of these terms is
// rounded in other places than the sum over all coordinates, so it serves as a bound: only records whose bound exceeds the
// farthest so far are compared coordinate by coordinate.
#pragma once

#include <vector>

#include "common/active_set.hpp"
#include "common/points.hpp"

namespace shoal {

class FarthestFromCentroid {
public:
    // `active` must outlive the object.
    FarthestFromCentroid(const CodedPoints& X, index_t k, ActiveSet& active)
        : X_(X), k_(k), active_(active), added_(X.n_coordinates()) {}

    // The active record farthest from `centroid`; lowest record on ties.
    index_t farthest_from(const std::vector<double>& centroid);

private:
    void rebuild_list(const std::vector<double>& centroid);
    void drop_empty_points();
    void keep(std::size_t n_listed);
    bool search_list(const std::vector<double>& centroid, Candidate& farthest);
    void consider(index_t record, const std::vector<double>& centroid, Candidate& farthest) const;
    void set_added(const std::vector<double>& centroid);
    double upper_bound(index_t record, const std::vector<double>& centroid) const;

    const CodedPoints& X_;
    index_t k_;
    ActiveSet& active_;
    std::vector<double> added_;    // (n_coordinates,) what a category adds to the squared distance
    double squares_ = 0.0;         // of the centroid, over all categories
    std::vector<index_t> points_;  // a record of every point that had an active one when the list was made
    std::vector<double> old_centroid_;
    std::vector<Candidate> listed_;  // (distance to the old centroid, record of a point) farthest first
    std::size_t head_ = 0;           // points before it in the list have no active record
    double beyond_ = 0.0;            // upper bound of the old distance of points that are not listed
    std::size_t n_looked_at_ = 0;    // since the list was made
};

}  // namespace shoal
