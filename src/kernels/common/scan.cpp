#include "common/scan.hpp"

namespace shoal {

Scan::Scan(Points X, const std::vector<index_t>& records, const Duplicates& duplicates)
    : PointIndex(duplicates), X_(X), n_active_(static_cast<index_t>(records.size())), stride_(n_active_),
      columns_(static_cast<std::size_t>(n_active_) * X.cells.d), record_at_(records), position_(X.cells.n, -1) {
    for (index_t p = 0; p < n_active_; ++p) {
        position_[records[p]] = p;
        for (index_t j = 0; j < X.cells.d; ++j) columns_[j * stride_ + p] = X.cells.row(records[p])[j];
    }
}

void Scan::nearest_to(index_t record, Nearest& nearest) { look_from<false>(X_.cells.row(record), nearest); }

Candidate Scan::nearest_and_farthest(index_t record, Nearest& nearest) {
    return look_from<true>(X_.cells.row(record), nearest);
}

template <bool Farthest>
Candidate Scan::look_from(const double* point, Nearest& nearest) {
    constexpr index_t kChunk = 256;  // stays in the first-level cache while all columns are added
    double distance[kChunk];
    Candidate farthest{-1.0, -1};
    for (index_t begin = 0; begin < n_active_; begin += kChunk) {
        const index_t size = std::min(kChunk, n_active_ - begin);
        std::fill(distance, distance + size, 0.0);
        for (index_t j = 0; j < X_.cells.d; ++j) {
            const double* column = columns_.data() + j * stride_ + begin;
            const double coordinate = point[j], step = X_.steps[j];
            if (step == 0.0) {
                for (index_t p = 0; p < size; ++p) {
                    const double difference = column[p] - coordinate;
                    distance[p] += difference * difference;
                }
            } else {
                for (index_t p = 0; p < size; ++p) {
                    const double added = column[p] != coordinate ? step : 0.0;
                    distance[p] += added;
                    distance[p] += added;
                }
            }
        }
        // Most chunks hold neither a nearer nor a farther record; to see that takes no branch per record.
        const double limit = nearest.limit();
        int worth_a_look = 0;
        for (index_t p = 0; p < size; ++p) {
            worth_a_look |= distance[p] <= limit;
            if constexpr (Farthest) worth_a_look |= distance[p] >= farthest.first;
        }
        if (!worth_a_look) continue;
        for (index_t p = 0; p < size; ++p) {
            const Candidate candidate{distance[p], record_at_[begin + p]};
            consider(candidate, nearest);
            if (Farthest && farther(candidate, farthest)) farthest = candidate;
        }
    }
    work_ += static_cast<double>(n_active_);
    return farthest;
}

// The last active record takes the place of the removed one.
void Scan::remove(index_t record) {
    const index_t hole = position_[record];
    const index_t last = --n_active_;
    for (index_t j = 0; j < X_.cells.d; ++j) columns_[j * stride_ + hole] = columns_[j * stride_ + last];
    record_at_[hole] = record_at_[last];
    position_[record_at_[hole]] = hole;
}

void Scan::replace(index_t record, index_t equal) {
    position_[equal] = position_[record];
    record_at_[position_[equal]] = equal;
}

}  // namespace shoal
