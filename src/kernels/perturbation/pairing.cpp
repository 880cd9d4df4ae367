#include "perturbation/pairing.hpp"

#include "common/chance.hpp"
#include "perturbation/living_ranks.hpp"

namespace shoal {

std::vector<index_t> pair_up(index_t n, const bool* lives, const index_t* visits, index_t n_visits,
                             const Window* windows, index_t most, std::uint64_t seed) {
    std::vector<index_t> partner(static_cast<std::size_t>(n), -1);
    LivingRanks left(lives, n);
    Chance chance(seed);
    for (index_t v = 0; v < n_visits && most > 0; ++v) {
        const index_t rank = visits[v];
        if (!left.has(rank)) continue;
        const Window& window = windows[rank];
        const index_t first = left.n_below(window.low), own = left.n_below(window.own_low);
        const index_t after_own = left.n_below(window.own_high);
        const index_t n_before = own - first, n_candidates = n_before + left.n_below(window.high) - after_own;
        if (n_candidates == 0) continue;
        const index_t drawn = chance.below(n_candidates);
        const index_t chosen = left.at(drawn < n_before ? first + drawn : after_own + drawn - n_before);
        partner[rank] = chosen;
        partner[chosen] = rank;
        left.remove(rank);
        left.remove(chosen);
        --most;
    }
    return partner;
}

}  // namespace shoal
