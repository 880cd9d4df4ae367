#include "perturbation/pairing.hpp"

#include "common/chance.hpp"
#include "perturbation/rank_set.hpp"

namespace shoal {

std::vector<index_t> pair_up(const PairingInput& input) {
    std::vector<index_t> partner(static_cast<std::size_t>(input.n), -1);
    RankSet left(input.active, input.n);
    Chance chance(input.seed);
    index_t n_pairs = 0;
    for (index_t v = 0; v < input.n_visits && n_pairs < input.max_pairs; ++v) {
        const index_t rank = input.visits[v];
        if (!left.has(rank)) continue;
        const Window& window = input.windows[rank];
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
        ++n_pairs;
    }
    return partner;
}

}  // namespace shoal
