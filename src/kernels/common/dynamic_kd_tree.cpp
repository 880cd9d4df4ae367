#include "common/dynamic_kd_tree.hpp"

#include <cmath>

namespace shoal {

namespace {

constexpr index_t kSample = 1024;  // records that decide on the column of a cut

index_t leaves_for(index_t n, index_t leaf_size) {
    index_t n_leaves = 1;
    while (n_leaves * leaf_size < n) n_leaves *= 2;
    return n_leaves;
}

// Least and most of n values, in four lanes and without a branch: in one each value would wait for the one before.
std::pair<double, double> ends_of(const double* values, index_t n) {
    double least[4] = {kInfinity, kInfinity, kInfinity, kInfinity};
    double most[4] = {-kInfinity, -kInfinity, -kInfinity, -kInfinity};
    for (index_t p = 0; p < n; p += 4)
        for (index_t lane = 0; lane < 4; ++lane) {
            const double value = values[std::min(p + lane, n - 1)];
            least[lane] = value < least[lane] ? value : least[lane];
            most[lane] = value > most[lane] ? value : most[lane];
        }
    return {std::min(std::min(least[0], least[1]), std::min(least[2], least[3])),
            std::max(std::max(most[0], most[1]), std::max(most[2], most[3]))};
}

}  // namespace

template <index_t D, bool Coded>
DynamicKdTree<D, Coded>::DynamicKdTree(Points X, const std::vector<index_t>& records, const Duplicates& duplicates)
    : PointIndex(duplicates), X_(X), origin_(X.cells.d, 0.0), heading_(X.cells.d), slot_(X.cells.n, -1) {
    for (const index_t i : records)
        for (index_t j = 0; j < d(); ++j) origin_[j] += X.cells.row(i)[j] / static_cast<double>(records.size());
    const index_t n_leaves = leaves_for(static_cast<index_t>(records.size()), kLeaf);
    first_leaf_ = n_leaves - 1;
    boxes_.resize(static_cast<std::size_t>(n_leaves) * 4 * d());
    reach_.resize(2 * n_leaves - 1);
    lowest_.resize(2 * n_leaves - 1);
    n_active_.resize(n_leaves);
    columns_.resize(static_cast<std::size_t>(n_leaves) * (d() + 1) * kLeaf);
    record_.resize(n_leaves * kLeaf);
    std::vector<index_t> order = records;
    divide(0, order.data(), order.data() + order.size());
}

// Halves the records at the median of the widest column.
template <index_t D, bool Coded>
void DynamicKdTree<D, Coded>::divide(index_t node, index_t* begin, index_t* end) {
    if (is_leaf(node)) {
        fill_leaf(node, begin, end);
        return;
    }
    index_t* middle = begin + (end - begin) / 2;
    halving_.halve(X_.cells, widest_column(begin, end), begin, middle, end);
    divide(2 * node + 1, begin, middle);
    divide(2 * node + 2, middle, end);
    tighten(node);
}

// Of many records a sample is looked at: where a cut lies changes the time and nothing else.
template <index_t D, bool Coded>
index_t DynamicKdTree<D, Coded>::widest_column(const index_t* begin, const index_t* end) const {
    const index_t step = 1 + (end - begin) / kSample;
    index_t widest = 0;
    double width = -1.0;
    for (index_t j = 0; j < d(); ++j) {
        double least = kInfinity, most = -kInfinity;
        for (const index_t* i = begin; i < end; i += step) {
            const double value = X_.cells.row(*i)[j];
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
        const double apart = !is_code(j) || least == most ? most - least : std::sqrt(2 * X_.steps[j]);
        if (apart > width) {
            width = apart;
            widest = j;
        }
    }
    return widest;
}

template <index_t D, bool Coded>
void DynamicKdTree<D, Coded>::fill_leaf(index_t node, const index_t* begin, const index_t* end) {
    const index_t leaf = node - first_leaf_;
    n_active_[leaf] = end - begin;
    for (index_t p = 0; p < end - begin; ++p) {
        record_[leaf * kLeaf + p] = begin[p];
        slot_[begin[p]] = leaf * kLeaf + p;
        for (index_t j = 0; j < d(); ++j) columns(leaf)[j * kLeaf + p] = X_.cells.row(begin[p])[j];
        columns(leaf)[d() * kLeaf + p] = from_origin(X_.cells.row(begin[p]));
    }
    tighten_leaf(node);
}

// The bounds of a leaf that its removed records may have set; false where nothing changed.
template <index_t D, bool Coded>
bool DynamicKdTree<D, Coded>::tighten_leaf(index_t node) {
    const index_t leaf = node - first_leaf_, n = n_active_[leaf];
    bool changed = false;
    double* corners = box(node);
    for (index_t j = 0; j < d(); ++j, corners += 4) {
        const auto [least, most] = ends_of(columns(leaf) + j * kLeaf, n);
        changed |= least != corners[0] || most != corners[2];
        corners[0] = least;
        corners[2] = most;
    }
    const double reach = ends_of(columns(leaf) + d() * kLeaf, n).second;
    changed |= reach != reach_[node];
    reach_[node] = reach;
    const index_t* records = record_.data() + leaf * kLeaf;
    const index_t lowest = n > 0 ? *std::min_element(records, records + n) : X_.cells.n;
    changed |= lowest != lowest_[node];
    lowest_[node] = lowest;
    return changed;
}

template <index_t D, bool Coded>
bool DynamicKdTree<D, Coded>::tighten(index_t node) {
    const index_t left = 2 * node + 1, right = left + 1;
    bool changed = false;
    const double* below = boxes_below(node);
    double* corners = box(node);
    for (index_t j = 0; j < d(); ++j, corners += 4, below += 4) {
        const double least = below[0] < below[1] ? below[0] : below[1];
        const double most = below[2] > below[3] ? below[2] : below[3];
        changed |= least != corners[0] || most != corners[2];
        corners[0] = least;
        corners[2] = most;
    }
    const double reach = std::max(reach_[left], reach_[right]);
    changed |= reach != reach_[node];
    reach_[node] = reach;
    const index_t lowest = std::min(lowest_[left], lowest_[right]);
    changed |= lowest != lowest_[node];
    lowest_[node] = lowest;
    return changed;
}

template <index_t D, bool Coded>
void DynamicKdTree<D, Coded>::remove(index_t record) {
    const index_t hole = slot_[record];
    const index_t leaf = hole / kLeaf;
    const index_t last = leaf * kLeaf + --n_active_[leaf];
    double* values = columns(leaf);
    const double norm = values[d() * kLeaf + hole % kLeaf];
    for (index_t j = 0; j <= d(); ++j) values[j * kLeaf + hole % kLeaf] = values[j * kLeaf + last % kLeaf];
    record_[hole] = record_[last];
    slot_[record_[hole]] = hole;
    if (is_on_boundary(first_leaf_ + leaf, record, norm)) loosened_.push_back(first_leaf_ + leaf);
}

template <index_t D, bool Coded>
void DynamicKdTree<D, Coded>::replace(index_t record, index_t equal) {
    slot_[equal] = slot_[record];
    record_[slot_[equal]] = equal;
    const index_t node = first_leaf_ + slot_[equal] / kLeaf;
    if (record == lowest_[node]) loosened_.push_back(node);
}

// The records of a group are removed one after another, most of them from one leaf: its bounds are renewed once.
template <index_t D, bool Coded>
void DynamicKdTree<D, Coded>::tighten_loosened() {
    std::sort(loosened_.begin(), loosened_.end());
    loosened_.erase(std::unique(loosened_.begin(), loosened_.end()), loosened_.end());
    for (index_t node : loosened_) {
        bool changed = tighten_leaf(node);
        while (changed && node > 0) {
            node = (node - 1) / 2;
            changed = tighten(node);
        }
    }
    loosened_.clear();
}

// Whether the bounds of a leaf may depend on this record.
template <index_t D, bool Coded>
bool DynamicKdTree<D, Coded>::is_on_boundary(index_t node, index_t record, double norm) const {
    const double* x = X_.cells.row(record);
    const double* corners = box(node);
    for (index_t j = 0; j < d(); ++j, corners += 4)
        if (x[j] == corners[0] || x[j] == corners[2]) return true;
    return record == lowest_[node] || norm >= reach_[node];
}

template <index_t D, bool Coded>
double DynamicKdTree<D, Coded>::least_distance(index_t node, const double* point) const {
    double total = 0.0;
    const double* corners = box(node);
    for (index_t j = 0; j < d(); ++j, corners += 4) {
        const double difference = std::max({corners[0] - point[j], point[j] - corners[2], 0.0});
        total = with_column(total, difference, 0.0, is_code(j) ? X_.steps[j] : 0.0);
    }
    return total;
}

template <index_t D, bool Coded>
typename DynamicKdTree<D, Coded>::Siblings DynamicKdTree<D, Coded>::least_distances(index_t node,
                                                                                    const double* point) const {
    double total[2] = {0.0, 0.0};
    const double* corners = boxes_below(node);
    for (index_t j = 0; j < d(); ++j, corners += 4)
        for (index_t side = 0; side < 2; ++side) {
            const double below = corners[side] - point[j], above = point[j] - corners[2 + side];
            const double outside = below > above ? below : above;
            const double difference = outside > 0.0 ? outside : 0.0;
            total[side] = with_column(total[side], difference, 0.0, is_code(j) ? X_.steps[j] : 0.0);
        }
    return {total[0], total[1]};
}

// By the largest distance from the origin; with codes, by the farthest corner too, which needs no slack and so tells ties.
// Of a box without records -infinity or NaN: neither is above any distance.
template <index_t D, bool Coded>
typename DynamicKdTree<D, Coded>::Siblings DynamicKdTree<D, Coded>::most_distances(index_t node,
                                                                                   const double* point) const {
    double along[2] = {0.0, 0.0}, of_codes[2] = {0.0, 0.0}, to_corner[2] = {0.0, 0.0};
    const double* corners = boxes_below(node);
    for (index_t j = 0; j < d(); ++j, corners += 4) {
        if constexpr (Coded)
            for (index_t side = 0; side < 2; ++side) {
                const double difference = std::max(point[j] - corners[side], corners[2 + side] - point[j]);
                to_corner[side] = with_column(to_corner[side], difference, 0.0, X_.steps[j]);
                if (is_code(j)) of_codes[side] = with_column(of_codes[side], difference, 0.0, X_.steps[j]);
            }
        const double* behind = corners + (heading_[j] < 0.0 ? 2 : 0);
        if (!is_code(j))
            for (index_t side = 0; side < 2; ++side) along[side] += (behind[side] - origin_[j]) * heading_[j];
    }
    const double* reach = reach_.data() + 2 * node + 1;
    const double rounding = 1e-14 * static_cast<double>(d() + 16);
    double most[2];
    for (index_t side = 0; side < 2; ++side) {
        const double squares = reach[side] + heading_squared_ + of_codes[side];
        most[side] = squares - 2 * along[side] + rounding * squares;
        if (Coded && to_corner[side] < most[side]) most[side] = to_corner[side];
    }
    return {most[0], most[1]};
}

// Squared distance from the origin, of the columns of numbers.
template <index_t D, bool Coded>
double DynamicKdTree<D, Coded>::from_origin(const double* point) const {
    double distance = 0.0;
    for (index_t j = 0; j < d(); ++j)
        if (!is_code(j)) distance = with_column(distance, point[j], origin_[j], 0.0);
    return distance;
}

template <index_t D, bool Coded>
void DynamicKdTree<D, Coded>::set_viewpoint(const double* point) {
    for (index_t j = 0; j < d(); ++j) heading_[j] = is_code(j) ? 0.0 : point[j] - origin_[j];
    heading_squared_ = from_origin(point);
}

// From the record's own leaf upwards: the first leaf already excludes most others. A record that was not active
// when the tree was built has no leaf.
template <index_t D, bool Coded>
void DynamicKdTree<D, Coded>::nearest_to(index_t record, Nearest& nearest) {
    tighten_loosened();
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

template <index_t D, bool Coded>
void DynamicKdTree<D, Coded>::visit_nearest(index_t node, double least, const double* point, Nearest& nearest) {
    const double limit = nearest.limit();
    if (least > limit || (least == limit && nearest.excludes(least, lowest_[node]))) return;
    if (is_leaf(node)) {
        look_for_nearest(node, point, nearest);
        return;
    }
    work_ += 4;
    const index_t left = 2 * node + 1, right = left + 1;
    const auto [to_left, to_right] = least_distances(node, point);
    const bool left_first = to_left <= to_right;
    visit_nearest(left_first ? left : right, left_first ? to_left : to_right, point, nearest);
    visit_nearest(left_first ? right : left, left_first ? to_right : to_left, point, nearest);
}

// A sum of squares only grows: where a few columns are beyond the limit, the others are not added.
template <index_t D, bool Coded>
void DynamicKdTree<D, Coded>::look_for_nearest(index_t node, const double* point, Nearest& nearest) {
    const index_t leaf = node - first_leaf_, n = n_active_[leaf];
    work_ += static_cast<double>(n);
    for (index_t begin = 0; begin < n; begin += kLanes) {
        double distance[kLanes] = {};
        const double limit = nearest.limit();
        bool within = true;
        for (index_t first = 0; first < d() && within; first += kColumns) {
            add_columns(leaf, begin, first, std::min(first + kColumns, d()), point, distance);
            if constexpr (D == 0) {
                int n_within = 0;
                for (index_t p = 0; p < kLanes; ++p) n_within |= distance[p] <= limit;
                within = n_within;
            }
        }
        if (!within) continue;
        for (index_t p = 0; p < std::min(kLanes, n - begin); ++p)
            if (distance[p] <= nearest.limit()) consider({distance[p], record_[leaf * kLeaf + begin + p]}, nearest);
    }
}

template <index_t D, bool Coded>
void DynamicKdTree<D, Coded>::add_columns(index_t leaf, index_t begin, index_t first, index_t last, const double* point,
                                          double* distance) const {
    for (index_t j = first; j < last; ++j) {
        const double* values = columns(leaf) + j * kLeaf + begin;
        if (is_code(j)) {
            const double step = X_.steps[j];
            for (index_t p = 0; p < kLanes; ++p) {
                const double added = values[p] != point[j] ? step : 0.0;
                distance[p] += added;
                distance[p] += added;
            }
        } else {
            for (index_t p = 0; p < kLanes; ++p) {
                const double difference = values[p] - point[j];
                distance[p] += difference * difference;
            }
        }
    }
}

template <index_t D, bool Coded>
Candidate DynamicKdTree<D, Coded>::nearest_and_farthest(index_t record, Nearest& nearest) {
    nearest_to(record, nearest);
    return farthest_in_tree(X_.cells.row(record));
}

// A point that is no record has no codes.
template <index_t D, bool Coded>
std::optional<Candidate> DynamicKdTree<D, Coded>::farthest_from(const double* point) {
    if constexpr (Coded) return std::nullopt;
    tighten_loosened();
    return farthest_in_tree(point);
}

template <index_t D, bool Coded>
Candidate DynamicKdTree<D, Coded>::farthest_in_tree(const double* point) {
    Candidate farthest{-1.0, X_.cells.n};
    set_viewpoint(point);
    visit_farthest(0, kInfinity, point, farthest);
    return farthest;
}

template <index_t D, bool Coded>
void DynamicKdTree<D, Coded>::visit_farthest(index_t node, double most, const double* point, Candidate& farthest) {
    if (!(most > farthest.first || (most == farthest.first && lowest_[node] < farthest.second))) return;
    if (is_leaf(node)) {
        look_for_farthest(node, point, farthest);
        return;
    }
    work_ += 4;
    const index_t left = 2 * node + 1, right = left + 1;
    const auto [to_left, to_right] = most_distances(node, point);
    const bool left_first = !(to_left < to_right);
    visit_farthest(left_first ? left : right, left_first ? to_left : to_right, point, farthest);
    visit_farthest(left_first ? right : left, left_first ? to_right : to_left, point, farthest);
}

template <index_t D, bool Coded>
void DynamicKdTree<D, Coded>::look_for_farthest(index_t node, const double* point, Candidate& farthest) {
    const index_t leaf = node - first_leaf_, n = n_active_[leaf];
    work_ += static_cast<double>(n);
    for (index_t begin = 0; begin < n; begin += kLanes) {
        double distance[kLanes] = {};
        add_columns(leaf, begin, 0, d(), point, distance);
        int worth_a_look = 0;
        for (index_t p = 0; p < kLanes; ++p) worth_a_look |= distance[p] >= farthest.first;
        if (!worth_a_look) continue;
        for (index_t p = 0; p < std::min(kLanes, n - begin); ++p) {
            const Candidate candidate{distance[p], record_[leaf * kLeaf + begin + p]};
            if (farther(candidate, farthest)) farthest = candidate;
        }
    }
}

namespace {

template <bool Coded>
std::unique_ptr<ActiveIndex> tree_for(Points X, const std::vector<index_t>& records, const Duplicates& duplicates) {
    switch (X.cells.d) {
        case 2: return std::make_unique<DynamicKdTree<2, Coded>>(X, records, duplicates);
        case 3: return std::make_unique<DynamicKdTree<3, Coded>>(X, records, duplicates);
        default: return std::make_unique<DynamicKdTree<0, Coded>>(X, records, duplicates);
    }
}

}  // namespace

std::unique_ptr<ActiveIndex> dynamic_kd_tree(Points X, const std::vector<index_t>& records,
                                             const Duplicates& duplicates) {
    const bool coded = std::any_of(X.steps, X.steps + X.cells.d, [](double step) { return step != 0.0; });
    return coded ? tree_for<true>(X, records, duplicates) : tree_for<false>(X, records, duplicates);
}

}  // namespace shoal
