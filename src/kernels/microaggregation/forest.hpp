// A forest of nearest neighbors, and its cut into trees of at least k records.
#pragma once

#include <vector>

#include "common/active_set.hpp"
#include "common/matrix.hpp"

namespace shoal {

// The record that every record points to, -1 at a root. At first every record is a tree; while a tree has fewer than k
// records, its root points to the nearest record outside. The one with the farthest to go is first; lowest record on ties.
std::vector<index_t> nearest_forest(Matrix X, index_t k, NeighborSearch search);

// Cuts every tree of more than max(2k - 1, 3k - 5) records in two, again and again, each part of k records or more.
// Returns the group of every record.
std::vector<index_t> cut_forest(const index_t* points_to, index_t n, index_t k);

}  // namespace shoal
