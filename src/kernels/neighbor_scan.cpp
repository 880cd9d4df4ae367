#include "neighbor_scan.hpp"

#include <limits>
#include <numeric>

namespace shoal {

NeighborScan::NeighborScan(Matrix X)
    : n_(X.n), d_(X.d), n_left_(X.n), columns_(static_cast<std::size_t>(X.n) * X.d), record_at_(X.n), position_(X.n) {
    std::iota(record_at_.begin(), record_at_.end(), 0);
    std::iota(position_.begin(), position_.end(), 0);
    for (index_t i = 0; i < n_; ++i)
        for (index_t j = 0; j < d_; ++j) columns_[j * n_ + i] = X.row(i)[j];
}

// The last record left takes the place of the removed one.
void NeighborScan::remove(index_t record) {
    const index_t hole = position_[record];
    const index_t last = --n_left_;
    for (index_t j = 0; j < d_; ++j) columns_[j * n_ + hole] = columns_[j * n_ + last];
    record_at_[hole] = record_at_[last];
    position_[record_at_[hole]] = hole;
}

void NeighborScan::nearest(const double* point, index_t count, std::vector<Candidate>& found) {
    constexpr index_t kChunk = 256;
    double distance[kChunk];
    found.clear();
    n_looked_ += n_left_;
    for (index_t begin = 0; begin < n_left_; begin += kChunk) {
        const index_t size = std::min(kChunk, n_left_ - begin);
        std::fill(distance, distance + size, 0.0);
        for (index_t j = 0; j < d_; ++j) {
            const double* column = columns_.data() + j * n_ + begin;
            const double coordinate = point[j];
            for (index_t p = 0; p < size; ++p) {
                const double difference = column[p] - coordinate;
                distance[p] += difference * difference;
            }
        }
        // Most chunks hold no nearer record; to see that takes no branch per record.
        const bool full = static_cast<index_t>(found.size()) == count;
        const double near = full ? found.front().first : std::numeric_limits<double>::infinity();
        int worth_a_look = 0;
        for (index_t p = 0; p < size; ++p) worth_a_look |= distance[p] <= near;
        if (!worth_a_look) continue;
        for (index_t p = 0; p < size; ++p) keep_nearest(found, count, {distance[p], record_at_[begin + p]});
    }
    std::sort_heap(found.begin(), found.end());
}

}  // namespace shoal
