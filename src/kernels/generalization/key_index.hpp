// Packed combinations of values, and a number for every different one.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "common/matrix.hpp"

namespace shoal {

// A combination of codes, a field of bits for every column. A blank is 0, so a column is blanked by clearing its bits,
// and what is released of a record is a key itself.
struct PackedKey {
    std::uint64_t low;
    std::uint64_t high;

    bool operator==(const PackedKey&) const = default;
    PackedKey operator&(const PackedKey& other) const { return {low & other.low, high & other.high}; }
    PackedKey operator|(const PackedKey& other) const { return {low | other.low, high | other.high}; }
    PackedKey operator~() const { return {~low, ~high}; }
    bool empty() const { return low == 0 && high == 0; }
};

// Numbers keys 0, 1, ... in the order they are met: open addressing, linear probing.
class KeyIndex {
public:
    index_t size() const { return static_cast<index_t>(keys_.size()); }
    const PackedKey& key(index_t number) const { return keys_[number]; }

    void clear() {
        keys_.clear();
        slots_.assign(kFewest, kEmpty);
    }

    // -1 where the key was never met.
    index_t find(const PackedKey& key) const {
        const index_t number = slots_[slot(key)];
        return number == kEmpty ? -1 : number;
    }

    index_t number(const PackedKey& key) {
        std::size_t at = slot(key);
        if (slots_[at] != kEmpty) return slots_[at];
        if (2 * (keys_.size() + 1) > slots_.size()) {
            grow();
            at = slot(key);
        }
        slots_[at] = size();
        keys_.push_back(key);
        return slots_[at];
    }

private:
    static constexpr index_t kEmpty = -1;
    static constexpr std::size_t kFewest = 16;

    std::size_t slot(const PackedKey& key) const {
        const std::size_t last = slots_.size() - 1;
        std::size_t at = hash(key) & last;
        while (slots_[at] != kEmpty && !(keys_[slots_[at]] == key)) at = (at + 1) & last;
        return at;
    }

    static std::uint64_t hash(const PackedKey& key) {
        std::uint64_t mixed = key.low * 0x9E3779B97F4A7C15ULL ^ std::rotl(key.high * 0xC2B2AE3D27D4EB4FULL, 31);
        mixed ^= mixed >> 32;
        mixed *= 0xD6E8FEB86659FD93ULL;
        return mixed ^ (mixed >> 32);
    }

    void grow() {
        slots_.assign(2 * slots_.size(), kEmpty);
        for (index_t number = 0; number < size(); ++number) slots_[slot(keys_[number])] = number;
    }

    std::vector<PackedKey> keys_;
    std::vector<index_t> slots_ = std::vector<index_t>(kFewest, kEmpty);
};

}  // namespace shoal
