// Packed combinations of values, and a number for every different one.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "common/hash_index.hpp"
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

// Numbers keys 0, 1, ... in the order they are met.
class KeyIndex {
public:
    index_t size() const { return static_cast<index_t>(keys_.size()); }
    const PackedKey& key(index_t number) const { return keys_[number]; }

    void clear() {
        keys_.clear();
        numbers_.clear();
    }

    // -1 where the key was never met.
    index_t find(const PackedKey& key) const {
        return numbers_.find(hash(key), [&](index_t number) { return keys_[number] == key; });
    }

    index_t number(const PackedKey& key) {
        const index_t found = numbers_.number(hash(key), [&](index_t number) { return keys_[number] == key; });
        if (found == size()) keys_.push_back(key);
        return found;
    }

private:
    static std::uint64_t hash(const PackedKey& key) {
        return mixed(key.low * 0x9E3779B97F4A7C15ULL ^ std::rotl(key.high * 0xC2B2AE3D27D4EB4FULL, 31));
    }

    std::vector<PackedKey> keys_;
    HashIndex numbers_;
};

}  // namespace shoal
