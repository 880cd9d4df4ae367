// A set of ranks 0 .. n - 1 with removal: the number of ranks below a rank, and the m-th rank, both in O(log n).
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "common/matrix.hpp"

namespace shoal {

// A bit for every rank, and a Fenwick tree over the words: small enough to stay in the cache for millions of ranks.
class RankSet {
public:
    // `active[r]` says whether rank r is in the set at the start.
    RankSet(const bool* active, index_t n)
        : words_(static_cast<std::size_t>(n / 64 + 1), 0), tree_(words_.size() + 1, 0) {
        for (index_t rank = 0; rank < n; ++rank)
            if (active[rank]) words_[rank / 64] |= bit(rank);
        for (std::size_t at = 1; at < tree_.size(); ++at) {
            tree_[at] += std::popcount(words_[at - 1]);
            const std::size_t parent = at + (at & (~at + 1));
            if (parent < tree_.size()) tree_[parent] += tree_[at];
        }
    }

    bool has(index_t rank) const { return (words_[rank / 64] & bit(rank)) != 0; }

    void remove(index_t rank) {
        words_[rank / 64] &= ~bit(rank);
        for (std::size_t at = static_cast<std::size_t>(rank / 64) + 1; at < tree_.size(); at += at & (~at + 1))
            --tree_[at];
    }

    // Ranks left below `rank`, which may be n.
    index_t n_below(index_t rank) const {
        index_t n = std::popcount(words_[rank / 64] & (bit(rank) - 1));
        for (auto at = static_cast<std::size_t>(rank / 64); at > 0; at &= at - 1) n += tree_[at];
        return n;
    }

    // The rank that has exactly m left below it; m is less than the number left.
    index_t at(index_t m) const {
        std::size_t word = 0;
        for (std::size_t step = std::bit_floor(tree_.size() - 1); step > 0; step /= 2)
            if (word + step < tree_.size() && tree_[word + step] <= m) {
                word += step;
                m -= tree_[word];
            }
        std::uint64_t bits = words_[word];
        int shift = 0;
        for (int half = 32; half > 0; half /= 2) {
            const index_t n_lower = std::popcount(bits & ((std::uint64_t{1} << half) - 1));
            if (m < n_lower) continue;
            m -= n_lower;
            bits >>= half;
            shift += half;
        }
        return static_cast<index_t>(word) * 64 + shift;
    }

private:
    static std::uint64_t bit(index_t rank) { return std::uint64_t{1} << (rank % 64); }

    std::vector<std::uint64_t> words_;
    std::vector<index_t> tree_;
};

}  // namespace shoal
