// Partners for swapping: a rank is paired with one drawn from its window.
#pragma once

#include <cstdint>
#include <vector>

#include "common/matrix.hpp"

namespace shoal {

// Where a rank may find its partner: in [low, high), but not in [own_low, own_high), which holds the rank itself.
struct Window {
    index_t low, own_low, own_high, high;
};

struct PairingInput {
    index_t n;              // ranks
    const bool* active;     // (n,) whether a rank takes part
    const index_t* visits;  // (n_visits,) ranks in the order in which they choose
    index_t n_visits;
    const Window* windows;  // (n,)
    index_t max_pairs;
    std::uint64_t seed;
};

// Partner of every rank, -1 for none. A visited rank that has no partner yet draws one with equal chance among the active
// ranks without a partner in its window, until there are `max_pairs` pairs.
std::vector<index_t> pair_up(const PairingInput& input);

}  // namespace shoal
