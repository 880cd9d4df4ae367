// A path through all records, and its best cut into groups of neighbors on it.
#pragma once

#include <vector>

#include "matrix.hpp"
#include "neighbors.hpp"

namespace shoal {

// Groups of k to 2k - 1 records that follow each other on the path, with the least sum of squared errors: the shortest
// path of Hansen and Mukherjee, O(nkd). Groups are numbered along the path; of equal cuts the smallest last group wins.
std::vector<index_t> best_cut(Matrix X, const index_t* path, index_t k);

// From record `start` always on to the nearest record not yet visited; lowest record on ties.
std::vector<index_t> nearest_next_path(Matrix X, index_t start, Search how);

}  // namespace shoal
