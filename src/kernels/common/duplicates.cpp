#include "common/duplicates.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "common/hash_index.hpp"

namespace shoal {

namespace {

std::uint64_t hash_of(const double* row, index_t d) {
    std::uint64_t hash = 0;
    for (index_t j = 0; j < d; ++j)
        hash = std::rotl(hash, 23) ^ (std::bit_cast<std::uint64_t>(row[j] + 0.0) * 0x9e3779b97f4a7c15ULL);  // -0 is 0
    return mixed(hash);
}

}  // namespace

Duplicates::Duplicates(Matrix cells) : n_(cells.n), point_(cells.n) {
    HashIndex points(cells.n);
    for (index_t i = 0; i < cells.n; ++i) {
        const double* row = cells.row(i);
        point_[i] = points.number(hash_of(row, cells.d), [&](index_t point) {
            return std::equal(row, row + cells.d, cells.row(lowest_[point]));
        });
        if (points.size() > static_cast<index_t>(lowest_.size())) lowest_.push_back(i);
    }
    if (points.size() == cells.n) {
        point_ = {};
        lowest_ = {};
    } else {
        link();
    }
}

void Duplicates::link() {
    before_.assign(point_.size(), -1);
    after_.assign(point_.size(), -1);
    std::vector<index_t> last(lowest_.size(), -1);  // record of every point so far
    for (index_t i = 0; i < static_cast<index_t>(point_.size()); ++i) {
        before_[i] = std::exchange(last[point_[i]], i);
        if (before_[i] >= 0) after_[before_[i]] = i;
    }
}

std::vector<index_t> Duplicates::different() const {
    std::vector<index_t> records;
    records.reserve(n_);
    for (index_t i = 0; i < n_; ++i)
        if (before(i) < 0) records.push_back(i);
    return records;
}

void Duplicates::remove(index_t record) {
    if (lowest_.empty()) return;
    if (before_[record] >= 0)
        after_[before_[record]] = after_[record];
    else
        lowest_[point_[record]] = after_[record];
    if (after_[record] >= 0) before_[after_[record]] = before_[record];
}

}  // namespace shoal
