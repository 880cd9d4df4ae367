// A path through all records, and its best cut into groups of neighbors on it.
#pragma once

#include <vector>

#include "common/active_set.hpp"
#include "common/matrix.hpp"

namespace shoal {

// Groups of k to 2k - 1 records that follow each other on the path, with the least sum of squared errors: the shortest
// path of Hansen and Mukherjee, O(nkd). Groups are numbered along the path; of equal cuts the smallest last group wins.
std::vector<index_t> best_cut(Matrix X, const index_t* path, index_t k);

// From record `start` always on to the nearest record not yet visited; lowest record on ties.
std::vector<index_t> nearest_next_path(Matrix X, index_t start, NeighborSearch search);

// Group after group in the order of `group_path`; inside a group from the point before, at first `start`, always on to
// the nearest record not yet visited. Lowest record on ties.
std::vector<index_t> path_through_groups(Matrix X, const index_t* labels, const std::vector<index_t>& group_path,
                                         const double* start);

// The record farthest from `center`; lowest on ties.
index_t farthest_from(Matrix X, const double* center);

}  // namespace shoal
