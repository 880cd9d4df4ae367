#include "box_memory.hpp"

#include <algorithm>
#include <utility>

namespace shoal {

namespace {

constexpr std::size_t kFirstSlots = 1 << 12;

// Steele, Lea & Flood (2014): SplitMix64's finalizer.
std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

bool is_full(std::size_t n_known, std::size_t n_slots) { return 10 * n_known >= 7 * n_slots; }

}  // namespace

Key key_of(std::uint64_t number) {
    return {mixed(2 * number * 0x9e3779b97f4a7c15ULL + 1), mixed((2 * number + 1) * 0x9e3779b97f4a7c15ULL + 7)};
}

BoxMemory::BoxMemory(std::size_t n_bytes) : slots_(kFirstSlots), most_slots_(kFirstSlots) {
    while (3 * most_slots_ * sizeof(Known) <= n_bytes) most_slots_ *= 2;  // old and new stand side by side for a moment
}

std::size_t BoxMemory::slot(const Key& key, index_t n) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = key.low & mask;
    while (slots_[at].n != 0 && !(slots_[at].key == key && slots_[at].n == n)) at = (at + 1) & mask;
    return at;
}

const Known* BoxMemory::find(const Key& key, index_t n) const {
    const Known& found = slots_[slot(key, n)];
    return found.n == 0 ? nullptr : &found;
}

Known& BoxMemory::at(const Key& key, index_t n) {
    std::size_t place = slot(key, n);
    if (slots_[place].n != 0) return slots_[place];
    if (is_full(n_known_, slots_.size())) {
        make_room();
        place = slot(key, n);
    }
    ++n_known_;
    slots_[place].key = key;
    slots_[place].n = n;
    return slots_[place];
}

// The larger boxes took the most work: they stay.
void BoxMemory::make_room() {
    index_t least = 1;
    if (slots_.size() >= most_slots_) {
        std::vector<index_t> sizes;
        for (const Known& known : slots_)
            if (known.n != 0) sizes.push_back(known.n);
        auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
        std::nth_element(sizes.begin(), middle, sizes.end());
        least = *middle + 1;
    }
    std::vector<Known> old(std::min(2 * slots_.size(), most_slots_));
    std::swap(old, slots_);
    const std::size_t n_before = std::exchange(n_known_, 0);
    for (const Known& known : old)
        if (known.n >= least) {
            slots_[slot(known.key, known.n)] = known;
            ++n_known_;
        }
    n_forgotten_ += static_cast<index_t>(n_before - n_known_);
}

}  // namespace shoal
