#include "common/neighbor_tree.hpp"

#include <algorithm>
#include <utility>

namespace shoal {

namespace {

constexpr index_t kNeighborLeaf = 16;

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

NeighborTree::NeighborTree(Matrix X, index_t n_threads)
    : n_(X.n), d_(X.d),
      tree_(
          X, all_records(X.n), kNeighborLeaf, [](index_t, double extent) { return extent; }, n_threads),
      place_(tree_.places(X.n)), points_(tree_.points(X)) {}

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
    const KdTree::Node& node = tree_.node(at);
    if (node.left < 0) {
        for (index_t place = node.begin; place < node.end && search.n_to_look_at > 0; ++place, --search.n_to_look_at) {
            const double* other = points_.data() + place * d_;
            double squared = 0.0;
            for (index_t j = 0; j < d_; ++j) squared += (search.point[j] - other[j]) * (search.point[j] - other[j]);
            search.consider(squared, tree_.order()[place]);
        }
        return;
    }
    const double value = search.point[node.column];
    const double low = tree_.high(node.left)[node.column], high = tree_.low(node.right)[node.column];  // beside the cut
    const bool is_left = value - low < high - value;
    look(search, is_left ? node.left : node.right, distance, offsets);

    const double gap = is_left ? high - value : value - low;
    const double offset = gap > 0.0 ? gap * gap : 0.0;
    const double old = std::exchange(offsets[node.column], offset);
    look(search, is_left ? node.right : node.left, distance - old + offset, offsets);
    offsets[node.column] = old;
}

}  // namespace shoal
