#include "mdav.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace shoal {

Mdav::Mdav(Matrix X, index_t k)
    : n_(X.n), d_(X.d), k_(k), n_alive_(X.n), columns_(static_cast<std::size_t>(X.n) * X.d), record_at_(X.n),
      position_(X.n), sums_(X.d), labels_(X.n, -1) {
    std::iota(record_at_.begin(), record_at_.end(), 0);
    std::iota(position_.begin(), position_.end(), 0);
    for (index_t i = 0; i < n_; ++i)
        for (index_t j = 0; j < d_; ++j) {
            columns_[j * n_ + i] = X.row(i)[j];
            sums_[j].add(X.row(i)[j]);
        }
}

index_t Mdav::step(index_t n_groups) {
    const index_t goal = n_groups_ + n_groups;
    while (n_alive_ > 0 && n_groups_ < goal) {
        if (n_alive_ < 2 * k_) {
            rest_becomes_a_group();
            continue;
        }
        look_from<false, true>(centroid().data());
        const auto r = point_of(farthest_.second);
        const bool both_ends = n_alive_ >= 3 * k_;
        look_from<true, true>(r.data());
        nearest_become_a_group();
        if (!both_ends) continue;
        // s is the farthest from r among those left. It can only be gone if all of them are equally far: then the
        // lowest of them comes first.
        index_t s = farthest_.second;
        if (labels_[s] >= 0) s = *std::min_element(record_at_.begin(), record_at_.begin() + n_alive_);
        look_from<true, false>(point_of(s).data());
        nearest_become_a_group();
    }
    return n_alive_;
}

// The k nearest living records and the farthest one, in one pass. Squared distances are summed column by column in
// order: every kernel and the reference twin add in this order.
template <bool Nearest, bool Farthest>
void Mdav::look_from(const double* point) {
    constexpr index_t kChunk = 256;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    double distance[kChunk];
    nearest_.clear();
    farthest_ = {-1.0, n_};
    for (index_t begin = 0; begin < n_alive_; begin += kChunk) {
        const index_t size = std::min(kChunk, n_alive_ - begin);
        std::fill(distance, distance + size, 0.0);
        for (index_t j = 0; j < d_; ++j) {
            const double* column = columns_.data() + j * n_ + begin;
            const double coordinate = point[j];
            for (index_t p = 0; p < size; ++p) {
                const double difference = column[p] - coordinate;
                distance[p] += difference * difference;
            }
        }
        // Most chunks hold neither a nearer nor a farther record; to see that takes no branch per record.
        const double near = static_cast<index_t>(nearest_.size()) < k_ ? kInfinity : nearest_.front().first;
        int worth_a_look = 0;
        for (index_t p = 0; p < size; ++p) {
            if constexpr (Nearest) worth_a_look |= distance[p] <= near;
            if constexpr (Farthest) worth_a_look |= distance[p] >= farthest_.first;
        }
        if (!worth_a_look) continue;
        for (index_t p = 0; p < size; ++p) {
            const Candidate candidate{distance[p], record_at_[begin + p]};
            if constexpr (Nearest) consider_nearest(candidate);
            if constexpr (Farthest) consider_farthest(candidate);
        }
    }
}

// Keeps the k nearest; lower record first on ties.
void Mdav::consider_nearest(Candidate candidate) {
    if (static_cast<index_t>(nearest_.size()) == k_) {
        if (!(candidate < nearest_.front())) return;
        std::pop_heap(nearest_.begin(), nearest_.end());
        nearest_.pop_back();
    }
    nearest_.push_back(candidate);
    std::push_heap(nearest_.begin(), nearest_.end());
}

// Keeps the farthest; lowest record on ties.
void Mdav::consider_farthest(Candidate candidate) {
    const bool farther = candidate.first > farthest_.first;
    if (farther || (candidate.first == farthest_.first && candidate.second < farthest_.second)) farthest_ = candidate;
}

// The record looked from is the lowest of its duplicates, so it is always among its own nearest.
void Mdav::nearest_become_a_group() {
    for (const auto& [distance, record] : nearest_) {
        labels_[record] = n_groups_;
        remove(record);
    }
    ++n_groups_;
}

void Mdav::rest_becomes_a_group() {
    for (index_t p = 0; p < n_alive_; ++p) labels_[record_at_[p]] = n_groups_;
    n_alive_ = 0;
    ++n_groups_;
}

// The last living record takes the place of the removed one.
void Mdav::remove(index_t record) {
    const index_t hole = position_[record];
    const index_t last = --n_alive_;
    for (index_t j = 0; j < d_; ++j) {
        double* column = columns_.data() + j * n_;
        sums_[j].subtract(column[hole]);
        column[hole] = column[last];
    }
    record_at_[hole] = record_at_[last];
    position_[record_at_[hole]] = hole;
}

std::vector<double> Mdav::centroid() const {
    std::vector<double> mean(d_);
    for (index_t j = 0; j < d_; ++j) mean[j] = sums_[j].value() / static_cast<double>(n_alive_);
    return mean;
}

std::vector<double> Mdav::point_of(index_t record) const {
    std::vector<double> point(d_);
    for (index_t j = 0; j < d_; ++j) point[j] = columns_[j * n_ + position_[record]];
    return point;
}

}  // namespace shoal
