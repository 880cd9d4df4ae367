#include "microaggregation/annealing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace shoal {

namespace {

constexpr index_t kPerTemperature = 1024;          // proposals at one temperature
constexpr index_t kPerRecount = index_t{1} << 20;  // proposals between two exact computations of the sums

// Sum of f(j) over all columns, in two lanes: an order of additions that every compiler keeps and can vectorize.
template <index_t Width, class Term>
inline double in_two_lanes(index_t width, Term term) {
    double even = 0.0, odd = 0.0;
    const index_t end = Width ? Width : width;
    for (index_t j = 0; j < end; j += 2) {
        even += term(j);
        odd += term(j + 1);
    }
    return even + odd;
}

}  // namespace

Annealing::Annealing(Matrix X, const index_t* labels, index_t k, const std::int32_t* neighbors, index_t n_neighbors,
                     std::uint64_t seed)
    : n_(X.n), k_(k), n_neighbors_(n_neighbors), width_(X.d + X.d % 2), points_(n_ * width_, 0.0),
      neighbors_(neighbors, neighbors + n_ * n_neighbors), label_(n_), slot_(n_), members_(n_ / k * 2 * k),
      size_(n_ / k, 0), sums_(n_ / k * width_, 0.0), inverse_(2 * k + 1, 0.0), mean_(width_), gathered_(2 * k),
      preference_(2 * k), chance_(seed) {
    for (index_t size = 1; size <= 2 * k; ++size) inverse_[size] = 1.0 / static_cast<double>(size);
    for (index_t i = 0; i < n_; ++i) {
        std::copy_n(X.row(i), X.d, points_.data() + i * width_);
        put_in(i, labels[i]);
    }
    for (index_t group = n_ / k - 1; group >= 0; --group)
        if (size_[group] == 0) unused_.push_back(static_cast<std::int32_t>(group));
    recompute_sums();
}

void Annealing::plan(index_t n_proposals, double hot, double cold) {
    n_planned_ = n_proposals;
    n_done_ = 0;
    temperature_ = hot;
    const double n_temperatures = std::max(1.0, static_cast<double>(n_proposals) / kPerTemperature);
    cooling_ = hot > 0.0 ? std::pow(cold / hot, 1.0 / n_temperatures) : 1.0;
    recompute_sums();
}

index_t Annealing::step(index_t n_proposals) {
    const index_t n = std::min(n_proposals, n_planned_ - n_done_);
    switch (width_) {
        case 2: run<2>(n); break;
        case 4: run<4>(n); break;
        case 6: run<6>(n); break;
        case 8: run<8>(n); break;
        case 10: run<10>(n); break;
        case 12: run<12>(n); break;
        case 14: run<14>(n); break;
        case 16: run<16>(n); break;
        default: run<0>(n);
    }
    return n_planned_ - n_done_;
}

template <index_t Width>
void Annealing::run(index_t n_proposals) {
    for (index_t i = 0; i < n_proposals; ++i) {
        propose<Width>();
        ++n_done_;
        if (n_done_ % kPerTemperature == 0) temperature_ *= cooling_;
        if (n_done_ % kPerRecount == 0 || n_done_ == n_planned_) recompute_sums();
    }
}

// A random record, and the group of one of its neighbors, the nearer the likelier; the first move that is allowed.
template <index_t Width>
void Annealing::propose() {
    const index_t record = chance_.below(n_);
    const index_t rank = chance_.below(1 + chance_.below(n_neighbors_));
    const index_t from = label_[record], to = label_[neighbors_[record * n_neighbors_ + rank]];
    if (from == to) return;
    const double allowed = temperature_ > 0.0 ? temperature_ * chance_.exponential() : 0.0;
    if (size_[from] > k_) {
        const bool fits = size_[to] < 2 * k_ - 1;
        if (fits ? relocate<Width>(record, from, to, allowed) : split<Width>(record, from, to, allowed)) return;
    }
    if (swap<Width>(record, from, to, allowed)) return;
    if (size_[from] == k_ && chance_.below(4) == 0) dissolve<Width>(from, allowed);
}

template <index_t Width>
bool Annealing::relocate(index_t record, index_t from, index_t to, double allowed) {
    const double a = size_[from], b = size_[to];
    const double change = distance_to_centroid<Width>(record, to) * b / (b + 1.0) -
                          distance_to_centroid<Width>(record, from) * a / (a - 1.0);
    if (!(change < allowed)) return false;
    take_out(record);
    put_in(record, to);
    sse_ += change;
    return true;
}

// The group reaches 2k records and becomes two of k: around the record, and around the member farthest from it.
template <index_t Width>
bool Annealing::split(index_t record, index_t from, index_t to, double allowed) {
    const index_t n = 2 * k_;
    std::copy_n(members(to), n - 1, gathered_.begin());
    gathered_[n - 1] = static_cast<std::int32_t>(record);

    index_t opposite = gathered_[0];
    double farthest = -1.0;
    for (index_t m = 0; m < n - 1; ++m) {
        const double distant = distance<Width>(gathered_[m], record);
        if (distant > farthest) farthest = distant, opposite = gathered_[m];
    }
    for (index_t m = 0; m < n; ++m) {  // insertion sort by how much nearer to the record; stable
        const std::int32_t member = gathered_[m];
        const double preference = distance<Width>(member, record) - distance<Width>(member, opposite);
        index_t at = m;
        for (; at > 0 && preference_[at - 1] > preference; --at) {
            preference_[at] = preference_[at - 1];
            gathered_[at] = gathered_[at - 1];
        }
        preference_[at] = preference;
        gathered_[at] = member;
    }
    const double a = size_[from];
    const double change = sse_of<Width>(gathered_.data(), k_) + sse_of<Width>(gathered_.data() + k_, k_) -
                          sse_of<Width>(members(to), n - 1) - distance_to_centroid<Width>(record, from) * a / (a - 1.0);
    if (!(change < allowed)) return false;
    const index_t fresh = unused_.back();
    unused_.pop_back();
    for (index_t m = 0; m < k_; ++m) take_out(gathered_[m]);
    for (index_t m = 0; m < k_; ++m) put_in(gathered_[m], fresh);
    if (label_[record] == from) {
        take_out(record);
        put_in(record, to);
    }
    sse_ += change;
    return true;
}

// With the member of the other group that gains most; the first of the members on ties.
// Let w lead from the record to the member and c between the centroids: SSE changes by -(2 c + (1/a + 1/b) w) . w
template <index_t Width>
bool Annealing::swap(index_t record, index_t from, index_t to, double allowed) {
    const double a = inverse_[size_[from]], b = inverse_[size_[to]], both = a + b;
    const double* x = row(record);
    const double *sum_from = sum(from), *sum_to = sum(to);
    double fixed[Width ? Width : 1];
    double* between = Width ? fixed : mean_.data();
    for (index_t j = 0; j < (Width ? Width : width_); ++j) between[j] = 2.0 * (sum_from[j] * a - sum_to[j] * b);

    const std::int32_t* candidates = members(to);
    double best = std::numeric_limits<double>::infinity();
    index_t partner = -1;
    for (index_t m = 0; m < size_[to]; ++m) {
        const double* y = row(candidates[m]);
        const double change = -in_two_lanes<Width>(width_, [&](index_t j) {
            const double w = y[j] - x[j];
            return w * (between[j] + both * w);
        });
        if (change < best) best = change, partner = candidates[m];
    }
    if (!(best < allowed)) return false;
    take_out(record);
    take_out(partner);
    put_in(record, to);
    put_in(partner, from);
    sse_ += best;
    return true;
}

// Every member of a group of k goes where it costs least at its turn; undone when that costs too much.
template <index_t Width>
bool Annealing::dissolve(index_t group, double allowed) {
    const index_t n = size_[group];
    std::copy_n(members(group), n, gathered_.begin());
    double change = -sse_of<Width>(gathered_.data(), n);
    for (index_t m = 0; m < n; ++m) take_out(gathered_[m]);
    index_t n_placed = 0;
    for (; n_placed < n && change < allowed; ++n_placed) {
        const index_t record = gathered_[n_placed];
        double cheapest = std::numeric_limits<double>::infinity();
        index_t target = -1;
        for (index_t rank = 0; rank < n_neighbors_; ++rank) {
            const index_t other = label_[neighbors_[record * n_neighbors_ + rank]];
            if (other == group || size_[other] == 2 * k_ - 1) continue;
            const double size = size_[other];
            const double cost = distance_to_centroid<Width>(record, other) * size / (size + 1.0);
            if (cost < cheapest) cheapest = cost, target = other;
        }
        if (target < 0) break;
        put_in(record, target);
        change += cheapest;
    }
    if (n_placed == n && change < allowed) {
        std::fill_n(sum(group), width_, 0.0);
        unused_.push_back(static_cast<std::int32_t>(group));
        sse_ += change;
        return true;
    }
    for (index_t m = 0; m < n_placed; ++m) take_out(gathered_[m]);
    for (index_t m = 0; m < n; ++m) put_in(gathered_[m], group);
    return false;
}

template <index_t Width>
double Annealing::distance_to_centroid(index_t record, index_t group) const {
    const double* x = row(record);
    const double* total = sum(group);
    const double share = inverse_[size_[group]];
    return in_two_lanes<Width>(width_, [&](index_t j) {
        const double difference = x[j] - total[j] * share;
        return difference * difference;
    });
}

template <index_t Width>
double Annealing::distance(index_t a, index_t b) const {
    const double *x = row(a), *y = row(b);
    return in_two_lanes<Width>(width_, [&](index_t j) { return (x[j] - y[j]) * (x[j] - y[j]); });
}

template <index_t Width>
double Annealing::sse_of(const std::int32_t* some, index_t size) const {
    std::fill(mean_.begin(), mean_.end(), 0.0);
    for (index_t m = 0; m < size; ++m)
        for (index_t j = 0; j < width_; ++j) mean_[j] += row(some[m])[j];
    for (double& value : mean_) value *= inverse_[size];
    double total = 0.0;
    for (index_t m = 0; m < size; ++m) {
        const double* x = row(some[m]);
        total += in_two_lanes<Width>(width_, [&](index_t j) { return (x[j] - mean_[j]) * (x[j] - mean_[j]); });
    }
    return total;
}

void Annealing::take_out(index_t record) {
    const index_t group = label_[record];
    std::int32_t* list = members(group);
    const std::int32_t last = list[--size_[group]];
    list[slot_[record]] = last;
    slot_[last] = slot_[record];
    for (index_t j = 0; j < width_; ++j) sum(group)[j] -= row(record)[j];
}

void Annealing::put_in(index_t record, index_t group) {
    label_[record] = static_cast<std::int32_t>(group);
    slot_[record] = size_[group];
    members(group)[size_[group]++] = static_cast<std::int32_t>(record);
    for (index_t j = 0; j < width_; ++j) sum(group)[j] += row(record)[j];
}

void Annealing::recompute_sums() {
    sse_ = 0.0;
    for (index_t group = 0; group < static_cast<index_t>(size_.size()); ++group) {
        std::fill_n(sum(group), width_, 0.0);
        for (index_t m = 0; m < size_[group]; ++m)
            for (index_t j = 0; j < width_; ++j) sum(group)[j] += row(members(group)[m])[j];
        if (size_[group] > 0) sse_ += sse_of<0>(members(group), size_[group]);
    }
}

std::vector<index_t> Annealing::labels() const {
    std::vector<index_t> number(size_.size(), -1), labels(n_);
    index_t n_groups = 0;
    for (index_t i = 0; i < n_; ++i) {
        index_t& group = number[label_[i]];
        if (group < 0) group = n_groups++;
        labels[i] = group;
    }
    return labels;
}

}  // namespace shoal
