// A number for every different key, 0, 1, ... in the order they are met: open addressing, linear probing.
//
// The keys stand with the caller, who says whether the key of a number is the one that is looked for.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "common/matrix.hpp"

namespace shoal {

// Steele, Lea & Flood (2014): the finalizer of SplitMix64, which spreads numbers over all bits.
inline std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

class HashIndex {
public:
    // `n_expected` keys fit without growth.
    explicit HashIndex(index_t n_expected = 0) { clear(n_expected); }

    index_t size() const { return n_; }

    void clear(index_t n_expected = 0) {
        std::size_t n_slots = kFewest;
        while (n_slots < 2 * static_cast<std::size_t>(n_expected)) n_slots *= 2;
        slots_.assign(n_slots, Slot{0, kEmpty});
        n_ = 0;
    }

    // -1 where the key was never met.
    template <class IsEqual>
    index_t find(std::uint64_t hash, IsEqual is_equal) const {
        const Slot& slot = slots_[place(static_cast<std::uint32_t>(hash), is_equal)];
        return slot.number == kEmpty ? index_t{-1} : index_t{slot.number};
    }

    // A key that was never met gets size() as its number.
    template <class IsEqual>
    index_t number(std::uint64_t hash, IsEqual is_equal) {
        const auto code = static_cast<std::uint32_t>(hash);
        std::size_t at = place(code, is_equal);
        if (slots_[at].number != kEmpty) return slots_[at].number;
        if (2 * static_cast<std::size_t>(n_ + 1) > slots_.size()) {
            grow();
            at = free_place(code);
        }
        slots_[at] = {code, static_cast<std::uint32_t>(n_)};
        return n_++;
    }

private:
    struct Slot {
        std::uint32_t hash, number;
    };
    static constexpr std::uint32_t kEmpty = ~std::uint32_t{0};
    static constexpr std::size_t kFewest = 16, kMost = std::size_t{1} << 32;

    template <class IsEqual>
    std::size_t place(std::uint32_t hash, IsEqual is_equal) const {
        const std::size_t last = slots_.size() - 1;
        std::size_t at = hash & last;
        while (slots_[at].number != kEmpty && !(slots_[at].hash == hash && is_equal(index_t{slots_[at].number})))
            at = (at + 1) & last;
        return at;
    }

    std::size_t free_place(std::uint32_t hash) const {
        return place(hash, [](index_t) { return false; });
    }

    void grow() {
        if (slots_.size() >= kMost) throw std::length_error("a hash index holds 2^31 keys at most");
        std::vector<Slot> old(2 * slots_.size(), Slot{0, kEmpty});
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.number != kEmpty) slots_[free_place(slot.hash)] = slot;
    }

    std::vector<Slot> slots_;
    index_t n_ = 0;
};

}  // namespace shoal
