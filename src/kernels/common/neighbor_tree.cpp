#include "common/neighbor_tree.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace shoal {

namespace {

constexpr index_t kLeaf = 16;

using Candidate = std::pair<double, index_t>;  // (squared distance, how far after the record): nearer first

}  // namespace

struct NeighborTree::Search {
    const double* point;
    index_t record;
    index_t n_records;
    std::size_t n_wanted;
    index_t n_to_look_at;
    std::vector<Candidate> found;  // a heap, the worst on top

    bool is_done(double distance) const {
        return n_to_look_at <= 0 || (found.size() == n_wanted && distance > found.front().first);
    }

    void consider(double squared_distance, index_t other) {
        if (other == record) return;
        const Candidate candidate{squared_distance, other > record ? other - record : other - record + n_records};
        if (found.size() == n_wanted) {
            if (!(candidate < found.front())) return;
            std::pop_heap(found.begin(), found.end());
            found.pop_back();
        }
        found.push_back(candidate);
        std::push_heap(found.begin(), found.end());
    }
};

NeighborTree::NeighborTree(Matrix X) : n_(X.n), d_(X.d), order_(X.n), place_(X.n), points_(X.n * X.d) {
    std::iota(order_.begin(), order_.end(), index_t{0});
    build(X, 0, n_);
    for (index_t at = 0; at < n_; ++at) {
        place_[order_[at]] = at;
        std::copy_n(X.row(order_[at]), d_, points_.data() + at * d_);
    }
}

// Cuts the widest column at its median; lowest column and lowest record on ties.
index_t NeighborTree::build(Matrix X, index_t begin, index_t end) {
    const index_t node = static_cast<index_t>(nodes_.size());
    nodes_.push_back({begin, end, -1, 0.0, 0.0, -1, -1});
    if (end - begin <= kLeaf) return node;

    index_t column = -1;
    double widest = 0.0;
    for (index_t j = 0; j < d_; ++j) {
        double lowest = X.row(order_[begin])[j], highest = lowest;
        for (index_t at = begin; at < end; ++at) {
            lowest = std::min(lowest, X.row(order_[at])[j]);
            highest = std::max(highest, X.row(order_[at])[j]);
        }
        if (highest - lowest > widest) widest = highest - lowest, column = j;
    }
    if (column < 0) return node;  // all alike

    const auto before = [&](index_t a, index_t b) {
        return std::pair(X.row(a)[column], a) < std::pair(X.row(b)[column], b);
    };
    const index_t middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, before);
    const index_t last_left = *std::max_element(order_.begin() + begin, order_.begin() + middle, before);
    nodes_[node].column = column;
    nodes_[node].low = X.row(last_left)[column];
    nodes_[node].high = X.row(order_[middle])[column];
    const index_t left = build(X, begin, middle), right = build(X, middle, end);
    nodes_[node].left = left;
    nodes_[node].right = right;
    return node;
}

std::vector<std::int32_t> NeighborTree::nearest(index_t first, index_t last, index_t n_neighbors,
                                                index_t max_visited) const {
    std::vector<std::int32_t> neighbors;
    neighbors.reserve((last - first) * n_neighbors);
    std::vector<double> offsets(d_, 0.0);
    Search search{nullptr, 0, n_, static_cast<std::size_t>(n_neighbors), 0, {}};
    for (index_t record = first; record < last; ++record) {
        search.point = points_.data() + place_[record] * d_;
        search.record = record;
        search.n_to_look_at = std::max(max_visited, n_neighbors + 1);
        search.found.clear();
        look(search, 0, 0.0, offsets);
        std::sort_heap(search.found.begin(), search.found.end());
        for (const auto& [distance, after] : search.found)
            neighbors.push_back(static_cast<std::int32_t>((record + after) % n_));
    }
    return neighbors;
}

// `distance` is the squared distance from the point to the cell of the node, `offsets` its parts by column.
void NeighborTree::look(Search& search, index_t at, double distance, std::vector<double>& offsets) const {
    if (search.is_done(distance)) return;
    const Node& node = nodes_[at];
    if (node.column < 0) {
        for (index_t place = node.begin; place < node.end && search.n_to_look_at > 0; ++place, --search.n_to_look_at) {
            const double* other = points_.data() + place * d_;
            double squared = 0.0;
            for (index_t j = 0; j < d_; ++j) squared += (search.point[j] - other[j]) * (search.point[j] - other[j]);
            search.consider(squared, order_[place]);
        }
        return;
    }
    const double value = search.point[node.column];
    const bool is_left = value - node.low < node.high - value;
    look(search, is_left ? node.left : node.right, distance, offsets);

    const double gap = is_left ? node.high - value : value - node.low;
    const double offset = gap > 0.0 ? gap * gap : 0.0;
    const double old = std::exchange(offsets[node.column], offset);
    look(search, is_left ? node.right : node.left, distance - old + offset, offsets);
    offsets[node.column] = old;
}

}  // namespace shoal
