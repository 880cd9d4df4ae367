#include "common/dynamic_kd_tree.hpp"

#include <cmath>

namespace shoal {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

index_t leaves_for(index_t n, index_t leaf_size) {
    index_t n_leaves = 1;
    while (n_leaves * leaf_size < n) n_leaves *= 2;
    return n_leaves;
}

// Least and most of n values, in four lanes: in one each value would wait for the one before.
std::pair<double, double> ends_of(const double* values, index_t n) {
    double least[4] = {kInfinity, kInfinity, kInfinity, kInfinity};
    double most[4] = {-kInfinity, -kInfinity, -kInfinity, -kInfinity};
    index_t p = 0;
    for (; p + 4 <= n; p += 4)
        for (index_t lane = 0; lane < 4; ++lane) {
            least[lane] = std::min(least[lane], values[p + lane]);
            most[lane] = std::max(most[lane], values[p + lane]);
        }
    for (; p < n; ++p) {
        least[0] = std::min(least[0], values[p]);
        most[0] = std::max(most[0], values[p]);
    }
    return {std::min(std::min(least[0], least[1]), std::min(least[2], least[3])),
            std::max(std::max(most[0], most[1]), std::max(most[2], most[3]))};
}

}  // namespace

template <index_t D>
DynamicKdTree<D>::DynamicKdTree(Points X, const std::vector<index_t>& records)
    : X_(X), origin_(X.cells.d, 0.0), heading_(X.cells.d), slot_(X.cells.n, -1) {
    for (const index_t i : records)
        for (index_t j = 0; j < d(); ++j) origin_[j] += X.cells.row(i)[j] / static_cast<double>(records.size());
    const index_t n_leaves = leaves_for(static_cast<index_t>(records.size()), kLeaf);
    first_leaf_ = n_leaves - 1;
    boxes_.resize(static_cast<std::size_t>(2 * n_leaves - 1) * 2 * d());
    reach_.resize(2 * n_leaves - 1);
    lowest_.resize(2 * n_leaves - 1);
    n_active_.resize(n_leaves);
    columns_.resize(static_cast<std::size_t>(n_leaves) * (d() + 1) * kLeaf);
    record_.resize(n_leaves * kLeaf);
    std::vector<index_t> order = records;
    divide(0, order.data(), order.data() + order.size());
}

// Halves the records at the median of the widest column; equal values are halved by their number.
template <index_t D>
void DynamicKdTree<D>::divide(index_t node, index_t* begin, index_t* end) {
    if (is_leaf(node)) {
        fill_leaf(node, begin, end);
        return;
    }
    index_t widest = 0;
    double width = -1.0;
    for (index_t j = 0; j < d(); ++j) {
        double least = kInfinity, most = -kInfinity;
        for (const index_t* i = begin; i < end; ++i) {
            least = std::min(least, X_.cells.row(*i)[j]);
            most = std::max(most, X_.cells.row(*i)[j]);
        }
        const double apart = X_.steps[j] == 0.0 || least == most ? most - least : std::sqrt(2 * X_.steps[j]);
        if (apart > width) {
            width = apart;
            widest = j;
        }
    }
    index_t* middle = begin + (end - begin) / 2;
    halve(begin, middle, end, widest);
    divide(2 * node + 1, begin, middle);
    divide(2 * node + 2, middle, end);
    tighten(node);
}

// The lower half of the records comes first. Values stand beside their records: nothing is fetched while they are moved.
template <index_t D>
void DynamicKdTree<D>::halve(index_t* begin, index_t* middle, index_t* end, index_t column) {
    by_value_.clear();
    for (const index_t* i = begin; i < end; ++i) by_value_.emplace_back(X_.cells.row(*i)[column], *i);
    std::nth_element(by_value_.begin(), by_value_.begin() + (middle - begin), by_value_.end());
    for (const auto& [value, record] : by_value_) *begin++ = record;
}

template <index_t D>
void DynamicKdTree<D>::fill_leaf(index_t node, const index_t* begin, const index_t* end) {
    const index_t leaf = node - first_leaf_;
    n_active_[leaf] = end - begin;
    double* columns = columns_.data() + leaf * (d() + 1) * kLeaf;
    for (index_t p = 0; p < end - begin; ++p) {
        record_[leaf * kLeaf + p] = begin[p];
        slot_[begin[p]] = leaf * kLeaf + p;
        for (index_t j = 0; j < d(); ++j) columns[j * kLeaf + p] = X_.cells.row(begin[p])[j];
        columns[d() * kLeaf + p] = from_origin(X_.cells.row(begin[p]));
    }
    tighten_leaf(node);
}

// Updates box and lowest record; false where nothing changed.
template <index_t D>
bool DynamicKdTree<D>::tighten_leaf(index_t node) {
    const index_t leaf = node - first_leaf_;
    const double* columns = columns_.data() + leaf * (d() + 1) * kLeaf;
    bool changed = false;
    for (index_t j = 0; j < d(); ++j) {
        const auto [least, most] = ends_of(columns + j * kLeaf, n_active_[leaf]);
        changed |= least != low(node)[j] || most != high(node)[j];
        low(node)[j] = least;
        high(node)[j] = most;
    }
    const double reach = std::max(ends_of(columns + d() * kLeaf, n_active_[leaf]).second, 0.0);
    changed |= reach != reach_[node];
    reach_[node] = reach;
    const index_t* records = record_.data() + leaf * kLeaf;
    const index_t* first = std::min_element(records, records + n_active_[leaf]);
    const index_t lowest = n_active_[leaf] ? *first : X_.cells.n;
    changed |= lowest != lowest_[node];
    lowest_[node] = lowest;
    return changed;
}

template <index_t D>
bool DynamicKdTree<D>::tighten(index_t node) {
    const index_t left = 2 * node + 1, right = left + 1;
    bool changed = false;
    for (index_t j = 0; j < d(); ++j) {
        const double least = std::min(low(left)[j], low(right)[j]);
        const double most = std::max(high(left)[j], high(right)[j]);
        changed |= least != low(node)[j] || most != high(node)[j];
        low(node)[j] = least;
        high(node)[j] = most;
    }
    const double reach = std::max(reach_[left], reach_[right]);
    changed |= reach != reach_[node];
    reach_[node] = reach;
    const index_t lowest = std::min(lowest_[left], lowest_[right]);
    changed |= lowest != lowest_[node];
    lowest_[node] = lowest;
    return changed;
}

template <index_t D>
void DynamicKdTree<D>::remove(index_t record) {
    const index_t hole = slot_[record];
    const index_t leaf = hole / kLeaf;
    const index_t last = leaf * kLeaf + --n_active_[leaf];
    double* columns = columns_.data() + leaf * (d() + 1) * kLeaf;
    const double norm = columns[d() * kLeaf + hole % kLeaf];
    for (index_t j = 0; j <= d(); ++j) columns[j * kLeaf + hole % kLeaf] = columns[j * kLeaf + last % kLeaf];
    record_[hole] = record_[last];
    slot_[record_[hole]] = hole;
    index_t node = first_leaf_ + leaf;
    bool changed = is_on_boundary(node, record, norm) && tighten_leaf(node);
    while (changed && node > 0) {
        node = (node - 1) / 2;
        changed = tighten(node);
    }
}

// Whether the bounds of a leaf may depend on this record.
template <index_t D>
bool DynamicKdTree<D>::is_on_boundary(index_t node, index_t record, double norm) const {
    const double* x = X_.cells.row(record);
    for (index_t j = 0; j < d(); ++j)
        if (x[j] == low(node)[j] || x[j] == high(node)[j]) return true;
    return record == lowest_[node] || norm >= reach_[node];
}

template <index_t D>
void DynamicKdTree<D>::leaf_distances(index_t node, const double* point, double* distance) {
    const double* columns = columns_.data() + (node - first_leaf_) * (d() + 1) * kLeaf;
    std::fill(distance, distance + kLeaf, 0.0);
    for (index_t j = 0; j < d(); ++j) {
        const double step = X_.steps[j];
        if (step == 0.0) {
            for (index_t p = 0; p < kLeaf; ++p) {
                const double difference = columns[j * kLeaf + p] - point[j];
                distance[p] += difference * difference;
            }
        } else {
            for (index_t p = 0; p < kLeaf; ++p) {
                const double added = columns[j * kLeaf + p] != point[j] ? step : 0.0;
                distance[p] += added;
                distance[p] += added;
            }
        }
    }
}

template <index_t D>
double DynamicKdTree<D>::least_distance(index_t node, const double* point) const {
    double total = 0.0;
    for (index_t j = 0; j < d(); ++j) {
        const double difference = std::max({low(node)[j] - point[j], point[j] - high(node)[j], 0.0});
        total = with_column(total, difference, 0.0, X_.steps[j]);
    }
    return total;
}

template <index_t D>
double DynamicKdTree<D>::most_distance(index_t node, const double* point) const {
    double to_corner = 0.0, along = 0.0, of_codes = 0.0;
    for (index_t j = 0; j < d(); ++j) {
        const double least = low(node)[j], most = high(node)[j];
        const double difference = std::max(point[j] - least, most - point[j]);
        to_corner = with_column(to_corner, difference, 0.0, X_.steps[j]);
        if (X_.steps[j] != 0.0) of_codes = with_column(of_codes, difference, 0.0, X_.steps[j]);
        along += std::min((least - origin_[j]) * heading_[j], (most - origin_[j]) * heading_[j]);
    }
    const double slack = 1e-14 * static_cast<double>(d() + 16) * (reach_[node] + heading_squared_ + of_codes);
    return std::min(to_corner, reach_[node] + heading_squared_ - 2 * along + of_codes + slack);
}

// Squared distance from the origin, of the columns of numbers.
template <index_t D>
double DynamicKdTree<D>::from_origin(const double* point) const {
    double distance = 0.0;
    for (index_t j = 0; j < d(); ++j)
        if (X_.steps[j] == 0.0) distance = with_column(distance, point[j], origin_[j], 0.0);
    return distance;
}

template <index_t D>
void DynamicKdTree<D>::set_viewpoint(const double* point) {
    for (index_t j = 0; j < d(); ++j) heading_[j] = X_.steps[j] == 0.0 ? point[j] - origin_[j] : 0.0;
    heading_squared_ = from_origin(point);
}

// From the record's own leaf upwards: the first leaf already excludes most others. A record that was not active
// when the tree was built has no leaf.
template <index_t D>
void DynamicKdTree<D>::nearest_to(index_t record, Nearest& nearest) {
    const double* point = X_.cells.row(record);
    index_t node = slot_[record] < 0 ? 0 : first_leaf_ + slot_[record] / kLeaf;
    visit_nearest(node, 0.0, point, nearest);
    while (node > 0) {
        const index_t sibling = node % 2 ? node + 1 : node - 1;
        visit_nearest(sibling, least_distance(sibling, point), point, nearest);
        work_ += 2;
        node = (node - 1) / 2;
    }
}

template <index_t D>
void DynamicKdTree<D>::visit_nearest(index_t node, double least, const double* point, Nearest& nearest) {
    if (lowest_[node] == X_.cells.n || nearest.excludes(least, lowest_[node])) return;
    if (is_leaf(node)) {
        double distance[kLeaf];
        leaf_distances(node, point, distance);
        work_ += kLeaf;
        const index_t leaf = node - first_leaf_;
        for (index_t p = 0; p < n_active_[leaf]; ++p)
            if (distance[p] <= nearest.limit()) nearest.consider({distance[p], record_[leaf * kLeaf + p]});
        return;
    }
    work_ += 4;
    const index_t left = 2 * node + 1, right = left + 1;
    const double to_left = least_distance(left, point), to_right = least_distance(right, point);
    const bool left_first = to_left <= to_right;
    visit_nearest(left_first ? left : right, left_first ? to_left : to_right, point, nearest);
    visit_nearest(left_first ? right : left, left_first ? to_right : to_left, point, nearest);
}

template <index_t D>
Candidate DynamicKdTree<D>::nearest_and_farthest(index_t record, Nearest& nearest) {
    nearest_to(record, nearest);
    Candidate farthest{-1.0, X_.cells.n};
    set_viewpoint(X_.cells.row(record));
    visit_farthest(0, kInfinity, X_.cells.row(record), farthest);
    return farthest;
}

template <index_t D>
void DynamicKdTree<D>::visit_farthest(index_t node, double most, const double* point, Candidate& farthest) {
    if (lowest_[node] == X_.cells.n || !farther({most, lowest_[node]}, farthest)) return;
    if (is_leaf(node)) {
        double distance[kLeaf];
        leaf_distances(node, point, distance);
        work_ += kLeaf;
        const index_t leaf = node - first_leaf_;
        for (index_t p = 0; p < n_active_[leaf]; ++p) {
            const Candidate candidate{distance[p], record_[leaf * kLeaf + p]};
            if (farther(candidate, farthest)) farthest = candidate;
        }
        return;
    }
    work_ += 4;
    const index_t left = 2 * node + 1, right = left + 1;
    const double to_left = most_distance(left, point), to_right = most_distance(right, point);
    const bool left_first = to_left >= to_right;
    visit_farthest(left_first ? left : right, left_first ? to_left : to_right, point, farthest);
    visit_farthest(left_first ? right : left, left_first ? to_right : to_left, point, farthest);
}

std::unique_ptr<ActiveIndex> dynamic_kd_tree(Points X, const std::vector<index_t>& records) {
    switch (X.cells.d) {
        case 2: return std::make_unique<DynamicKdTree<2>>(X, records);
        case 3: return std::make_unique<DynamicKdTree<3>>(X, records);
        default: return std::make_unique<DynamicKdTree<0>>(X, records);
    }
}

}  // namespace shoal
