// After groups are formed: remaining records join a group, groups of 2k records or more are split.
#pragma once

#include <vector>

#include "common/matrix.hpp"

namespace shoal {

// Every record labeled -1 joins the group of the nearest record that has one; lowest record on ties.
std::vector<index_t> join_nearest_record(Matrix X, std::vector<index_t> labels);

// Every record labeled -1 joins the group with the nearest centroid; lowest group on ties. Centroids stay as they were
// before any record joined.
std::vector<index_t> join_nearest_centroid(Matrix X, std::vector<index_t> labels, index_t n_groups);

// Every group of 2k records or more is split by MDAV. The first part keeps the number of the group, the others get
// new numbers from n_groups on, group after group.
std::vector<index_t> split_large(Matrix X, std::vector<index_t> labels, index_t n_groups, index_t k);

}  // namespace shoal
