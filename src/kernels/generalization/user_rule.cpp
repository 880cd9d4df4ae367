#include "generalization/user_rule.hpp"

#include <cstdint>

namespace shoal {

namespace {

constexpr std::size_t kMostKnown = std::size_t{1} << 18;  // rows; then all are forgotten

}  // namespace

double UserAnswers::of(const std::vector<index_t>& row) {
    {
        const std::lock_guard lock(mutex_);
        const auto found = known_.find(row);
        if (found != known_.end()) return found->second;
    }
    const double answer = rule_(row, 1)[0];
    const std::lock_guard lock(mutex_);
    if (known_.size() >= kMostKnown) known_.clear();
    known_.emplace(row, answer);
    return answer;
}

std::size_t UserAnswers::Hash::operator()(const std::vector<index_t>& row) const {
    std::uint64_t hash = 0;
    for (const index_t number : row) {
        hash = (hash ^ static_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 29;
    }
    return static_cast<std::size_t>(hash);
}

}  // namespace shoal
