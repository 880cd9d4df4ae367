#include "microaggregation/spanning_tree.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace shoal {

SpanningTree::SpanningTree(Matrix X)
    : n_(X.n), d_(X.d), point_(X.row(0), X.row(0) + X.d), n_left_(X.n), columns_(static_cast<std::size_t>(X.n) * X.d),
      record_at_(X.n), nearest_in_(X.n, -1), to_tree_(X.n, 0.0), parent_(X.n, -1), length_(X.n, 0.0) {
    std::iota(record_at_.begin(), record_at_.end(), 0);
    for (index_t i = 0; i < n_; ++i)
        for (index_t j = 0; j < d_; ++j) columns_[j * n_ + i] = X.row(i)[j];
    leave(0);
}

index_t SpanningTree::step(index_t n_records) {
    for (; n_left_ > 0 && n_records > 0; --n_records) {
        update_distances();
        join(next_at_);
    }
    return n_left_;
}

// Updates the distances to the tree by the record that joined last, and finds the record nearest to the tree.
void SpanningTree::update_distances() {
    constexpr index_t kChunk = 256;
    double distance[kChunk];
    std::pair<double, index_t> next{std::numeric_limits<double>::infinity(), n_};
    for (index_t begin = 0; begin < n_left_; begin += kChunk) {
        const index_t size = std::min(kChunk, n_left_ - begin);
        std::fill(distance, distance + size, 0.0);
        for (index_t j = 0; j < d_; ++j) {
            const double* column = columns_.data() + j * n_ + begin;
            for (index_t p = 0; p < size; ++p) {
                const double difference = column[p] - point_[j];
                distance[p] += difference * difference;
            }
        }
        for (index_t p = 0; p < size; ++p) {
            const index_t at = begin + p;
            if (nearest_in_[at] < 0 || distance[p] < to_tree_[at]) {
                to_tree_[at] = distance[p];
                nearest_in_[at] = last_;
            }
            const std::pair<double, index_t> candidate{to_tree_[at], record_at_[at]};
            if (candidate < next) {
                next = candidate;
                next_at_ = at;
            }
        }
    }
}

void SpanningTree::join(index_t at) {
    last_ = record_at_[at];
    parent_[last_] = nearest_in_[at];
    length_[last_] = to_tree_[at];
    for (index_t j = 0; j < d_; ++j) point_[j] = columns_[j * n_ + at];
    leave(at);
}

// The last record outside takes the place of the one that left.
void SpanningTree::leave(index_t at) {
    const index_t last = --n_left_;
    for (index_t j = 0; j < d_; ++j) columns_[j * n_ + at] = columns_[j * n_ + last];
    record_at_[at] = record_at_[last];
    nearest_in_[at] = nearest_in_[last];
    to_tree_[at] = to_tree_[last];
}

std::vector<index_t> cut_longest_edges(const SpanningTree& tree, index_t k) {
    const auto n = static_cast<index_t>(tree.parent().size());
    std::vector<std::vector<index_t>> children(n);
    for (index_t i = 1; i < n; ++i) children[tree.parent()[i]].push_back(i);
    std::vector<index_t> top_down{0};
    for (std::size_t at = 0; at < top_down.size(); ++at)
        top_down.insert(top_down.end(), children[top_down[at]].begin(), children[top_down[at]].end());
    std::vector<index_t> size(n, 1);  // of the part below a record, itself included, as cut so far
    for (index_t at = n - 1; at > 0; --at) size[tree.parent()[top_down[at]]] += size[top_down[at]];

    std::vector<index_t> longest_first(n - 1);
    std::iota(longest_first.begin(), longest_first.end(), 1);
    std::stable_sort(longest_first.begin(), longest_first.end(),
                     [&](index_t a, index_t b) { return tree.length()[a] > tree.length()[b]; });
    std::vector<index_t> above = tree.parent();  // -1 at the top of every part
    for (const index_t record : longest_first) {
        if (size[record] < k) continue;
        index_t top = above[record];
        while (above[top] >= 0) top = above[top];
        if (size[top] - size[record] < k) continue;
        for (index_t i = above[record]; i >= 0; i = above[i]) size[i] -= size[record];
        above[record] = -1;
    }

    std::vector<index_t> top(n);
    for (const index_t record : top_down) top[record] = above[record] < 0 ? record : top[above[record]];
    std::vector<index_t> number(n, -1), labels(n);
    index_t n_groups = 0;
    for (index_t i = 0; i < n; ++i) {
        if (number[top[i]] < 0) number[top[i]] = n_groups++;
        labels[i] = number[top[i]];
    }
    return labels;
}

}  // namespace shoal
