// Bounds of boxes: a flat hash table from 128-bit keys to a lower and an upper bound of the least cost of a box.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/matrix.hpp"
#include "common/prefetch.hpp"

namespace shoal {

// Keys add up: the key of a set of cells is the sum of theirs, so that of a child is a difference of prefix sums.
struct BoxKey {
    std::uint64_t high = 0, low = 0;

    BoxKey& operator+=(const BoxKey& other) { return high += other.high, low += other.low, *this; }
    BoxKey operator+(BoxKey other) const { return other += *this; }
    BoxKey operator-(const BoxKey& other) const { return {high - other.high, low - other.low}; }
    bool operator==(const BoxKey&) const = default;
};

// Two good mixes of one number, as a key.
BoxKey key_of(std::uint64_t number);

struct Split {
    std::int32_t column = -1, at = -1;  // -1: the box stays as it is; `at`: first code of the right side of a line
};

struct BoxBounds {
    // Takes over what another search knows of the same box.
    void take(const BoxBounds& other) {
        lower = std::max(lower, other.lower);
        if (other.upper >= upper) return;
        upper = other.upper;
        split = other.split;
    }

    double lower = 0.0;
    double upper = std::numeric_limits<double>::infinity();  // reached by `split`
    Split split;
    std::int32_t n = 0;      // records
    std::int32_t round = 0;  // of the beam that was here last, in the same job

    bool is_exact() const { return lower >= upper; }
};

class BoxMemory {
public:
    explicit BoxMemory(std::size_t n_bytes);

    // Null if nothing is known. Two boxes with one key would have to have as many records, too.
    const BoxBounds* find(const BoxKey& key, index_t n) const;

    // Loads the slot of a key into the cache.
    void prefetch(const BoxKey& key) const { shoal::prefetch(&keys_[key.low & (keys_.size() - 1)]); }

    // To be written to; valid until the next call. The table grows to its limit, then the smaller boxes are evicted.
    BoxBounds& at(const BoxKey& key, index_t n);

    void clear();

    // fn(key, bounds) of every box, in the order of the slots.
    template <class Function>
    void each(Function fn) const {
        for (std::size_t at = 0; at < keys_.size(); ++at)
            if (!(keys_[at] == BoxKey{})) fn(keys_[at], bounds_[at]);
    }

    std::size_t size() const { return n_known_; }
    index_t n_evicted() const { return n_evicted_; }

private:
    std::size_t slot(const BoxKey& key, index_t n) const;
    void make_room();

    std::vector<BoxKey> keys_;  // (n_slots,) 0 where nothing is known; apart, since most looks need no more
    std::vector<BoxBounds> bounds_;
    std::size_t n_known_ = 0, max_slots_;
    index_t n_evicted_ = 0;
};

}  // namespace shoal
