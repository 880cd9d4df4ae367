#include "generalization/box_memory.hpp"

#include <algorithm>
#include <utility>

#include "common/hash_index.hpp"

namespace shoal {

namespace {

constexpr std::size_t kFirstSlots = 1 << 12;

bool is_full(std::size_t n_known, std::size_t n_slots) { return 10 * n_known >= 7 * n_slots; }

}  // namespace

BoxKey key_of(std::uint64_t number) {
    return {mixed(2 * number * 0x9e3779b97f4a7c15ULL + 1), mixed((2 * number + 1) * 0x9e3779b97f4a7c15ULL + 7)};
}

BoxMemory::BoxMemory(std::size_t n_bytes) : keys_(kFirstSlots), bounds_(kFirstSlots), max_slots_(kFirstSlots) {
    // Old and new slots stand side by side for a moment.
    while (3 * max_slots_ * (sizeof(BoxKey) + sizeof(BoxBounds)) <= n_bytes) max_slots_ *= 2;
}

std::size_t BoxMemory::slot(const BoxKey& key, index_t n) const {
    const std::size_t mask = keys_.size() - 1;
    std::size_t at = key.low & mask;
    while (!(keys_[at] == BoxKey{}) && !(keys_[at] == key && bounds_[at].n == n)) at = (at + 1) & mask;
    return at;
}

const BoxBounds* BoxMemory::find(const BoxKey& key, index_t n) const {
    const std::size_t at = slot(key, n);
    return keys_[at] == BoxKey{} ? nullptr : &bounds_[at];
}

BoxBounds& BoxMemory::at(const BoxKey& key, index_t n) {
    std::size_t at = slot(key, n);
    if (!(keys_[at] == BoxKey{})) return bounds_[at];
    if (is_full(n_known_, keys_.size())) {
        make_room();
        at = slot(key, n);
    }
    ++n_known_;
    keys_[at] = key;
    bounds_[at] = BoxBounds{};
    bounds_[at].n = static_cast<std::int32_t>(n);
    return bounds_[at];
}

void BoxMemory::clear() {
    std::fill(keys_.begin(), keys_.end(), BoxKey{});
    n_known_ = 0;
}

// The larger boxes took the most work: they stay.
void BoxMemory::make_room() {
    std::int32_t least = 1;
    if (keys_.size() >= max_slots_) {
        std::vector<std::int32_t> sizes;
        each([&](const BoxKey&, const BoxBounds& known) { sizes.push_back(known.n); });
        auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
        std::nth_element(sizes.begin(), middle, sizes.end());
        least = *middle + 1;
    }
    std::vector<BoxKey> keys(std::min(2 * keys_.size(), max_slots_));
    std::vector<BoxBounds> known(keys.size());
    std::swap(keys, keys_);
    std::swap(known, bounds_);
    const std::size_t n_before = std::exchange(n_known_, 0);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (keys[i] == BoxKey{} || known[i].n < least) continue;
        const std::size_t at = slot(keys[i], known[i].n);
        keys_[at] = keys[i];
        bounds_[at] = known[i];
        ++n_known_;
    }
    n_evicted_ += static_cast<index_t>(n_before - n_known_);
}

}  // namespace shoal
