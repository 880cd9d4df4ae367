#include "pairing.hpp"

#include "chance.hpp"
#include "living_ranks.hpp"

namespace shoal {

std::vector<index_t> pair_up(index_t n, const bool* lives, const index_t* visits, index_t n_visits, Windows windows,
                             index_t most, std::uint64_t seed) {
    std::vector<index_t> partner(static_cast<std::size_t>(n), -1);
    LivingRanks left(lives, n);
    Chance chance(seed);
    for (index_t v = 0; v < n_visits && most > 0; ++v) {
        const index_t rank = visits[v];
        if (!left.has(rank)) continue;
        const index_t first = left.n_below(windows.low[rank]);
        const index_t before_own = left.n_below(windows.own_low[rank]) - first;
        const index_t after_own = left.n_below(windows.high[rank]) - left.n_below(windows.own_high[rank]);
        const index_t n_candidates = before_own + after_own;
        if (n_candidates == 0) continue;
        const index_t drawn = chance.below(n_candidates);
        const index_t skipped = drawn < before_own ? first : left.n_below(windows.own_high[rank]) - before_own;
        const index_t chosen = left.at(skipped + drawn);
        partner[rank] = chosen;
        partner[chosen] = rank;
        left.remove(rank);
        left.remove(chosen);
        --most;
    }
    return partner;
}

}  // namespace shoal
