// Partners for an exchange: each is paired with one drawn from those left in its window.
#pragma once

#include <cstdint>
#include <vector>

#include "common/matrix.hpp"

namespace shoal {

// Where a rank may find its partner: in [low, high), but not in [own_low, own_high), which holds the rank itself.
struct Window {
    index_t low, own_low, own_high, high;
};

// Partner of every rank of 0 .. n - 1, -1 for none. The ranks of `visits` choose in this order, if they are left, each
// with equal chance among those left in its window; then both are gone. Only ranks that live at first take part, and
// no more than `most` pairs are made.
std::vector<index_t> pair_up(index_t n, const bool* lives, const index_t* visits, index_t n_visits,
                             const Window* windows, index_t most, std::uint64_t seed);

}  // namespace shoal
