#include "spanning_tree.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace shoal {

SpanningTree spanning_tree(Matrix X) {
    constexpr index_t kChunk = 256;
    double distance[kChunk];
    SpanningTree tree{std::vector<index_t>(X.n, -1), std::vector<double>(X.n, 0.0)};
    // Records outside the tree, with what is known of each, side by side: the loop over them is contiguous.
    index_t n_left = X.n;
    std::vector<double> columns(static_cast<std::size_t>(X.n) * X.d);
    std::vector<index_t> record_at(X.n), nearest_in(X.n, -1);
    std::vector<double> to_tree(X.n, std::numeric_limits<double>::infinity());
    std::iota(record_at.begin(), record_at.end(), 0);
    for (index_t i = 0; i < X.n; ++i)
        for (index_t j = 0; j < X.d; ++j) columns[j * X.n + i] = X.row(i)[j];

    const auto leave = [&](index_t at) {
        const index_t last = --n_left;
        for (index_t j = 0; j < X.d; ++j) columns[j * X.n + at] = columns[j * X.n + last];
        record_at[at] = record_at[last];
        nearest_in[at] = nearest_in[last];
        to_tree[at] = to_tree[last];
    };
    index_t joined = 0;
    leave(0);
    while (n_left > 0) {
        std::pair<double, index_t> next{std::numeric_limits<double>::infinity(), X.n};
        index_t next_at = 0;
        for (index_t begin = 0; begin < n_left; begin += kChunk) {
            const index_t size = std::min(kChunk, n_left - begin);
            std::fill(distance, distance + size, 0.0);
            for (index_t j = 0; j < X.d; ++j) {
                const double* column = columns.data() + j * X.n + begin;
                const double coordinate = X.row(joined)[j];
                for (index_t p = 0; p < size; ++p) {
                    const double difference = column[p] - coordinate;
                    distance[p] += difference * difference;
                }
            }
            for (index_t p = 0; p < size; ++p) {
                const index_t at = begin + p;
                if (distance[p] < to_tree[at] || nearest_in[at] < 0) {
                    to_tree[at] = distance[p];
                    nearest_in[at] = joined;
                }
                const std::pair<double, index_t> candidate{to_tree[at], record_at[at]};
                if (candidate < next) {
                    next = candidate;
                    next_at = at;
                }
            }
        }
        joined = record_at[next_at];
        tree.parent[joined] = nearest_in[next_at];
        tree.length[joined] = to_tree[next_at];
        leave(next_at);
    }
    return tree;
}

std::vector<index_t> cut_longest_edges(const SpanningTree& tree, index_t k) {
    const auto n = static_cast<index_t>(tree.parent.size());
    std::vector<std::vector<index_t>> children(n);
    for (index_t i = 1; i < n; ++i) children[tree.parent[i]].push_back(i);
    std::vector<index_t> top_down{0};
    for (std::size_t at = 0; at < top_down.size(); ++at)
        top_down.insert(top_down.end(), children[top_down[at]].begin(), children[top_down[at]].end());
    std::vector<index_t> size(n, 1);  // of the part below a record, itself included, as cut so far
    for (index_t at = n - 1; at > 0; --at) size[tree.parent[top_down[at]]] += size[top_down[at]];

    std::vector<index_t> longest_first(n - 1);
    std::iota(longest_first.begin(), longest_first.end(), 1);
    std::stable_sort(longest_first.begin(), longest_first.end(),
                     [&](index_t a, index_t b) { return tree.length[a] > tree.length[b]; });
    std::vector<index_t> above = tree.parent;  // -1 at the top of every part
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
