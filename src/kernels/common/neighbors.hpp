// The nearest neighbors of some records among all, by a tree.
#pragma once

#include <vector>

#include "common/points.hpp"

namespace shoal {

// (n_of, k) records nearest to each of `of`, itself among them, nearest first; lower record first on ties.
std::vector<index_t> nearest_neighbors(Points X, const index_t* of, index_t n_of, index_t k);
std::vector<index_t> nearest_neighbors(Matrix X, const index_t* of, index_t n_of, index_t k);

}  // namespace shoal
