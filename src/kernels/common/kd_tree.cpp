#include "common/kd_tree.hpp"

#include <algorithm>
#include <future>
#include <numeric>
#include <utility>

namespace shoal {

namespace {

constexpr index_t kWorthAThread = 20'000;  // records

}  // namespace

std::vector<index_t> all_records(index_t n) {
    std::vector<index_t> records(n);
    std::iota(records.begin(), records.end(), index_t{0});
    return records;
}

// Some nodes in the making: children are numbered from its first node.
struct KdTree::Part {
    Matrix X;
    index_t* order;
    index_t leaf_size;
    const Width& width;
    std::vector<Node> nodes = {};
    std::vector<double> boxes = {};
    std::vector<std::pair<double, index_t>> by_value = {};  // scratch of a halving

    index_t build(index_t begin, index_t end, index_t n_threads) {
        const index_t at = add_node(begin, end), column = nodes[at].column;
        if (column < 0 || end - begin <= leaf_size) {
            std::sort(order + begin, order + end);
            return at;
        }
        const index_t middle = begin + (end - begin) / 2;
        halve(begin, middle, end, column);
        const auto [left, right] = n_threads > 1 && end - begin > kWorthAThread
                                       ? build_together(begin, middle, end, n_threads)
                                       : build_both(begin, middle, end);
        nodes[at].left = left;
        nodes[at].right = right;
        return at;
    }

    index_t add_node(index_t begin, index_t end) {
        const index_t at = static_cast<index_t>(nodes.size());
        const double* first = X.row(order[begin]);
        boxes.insert(boxes.end(), first, first + X.d);
        boxes.insert(boxes.end(), first, first + X.d);
        double *low = boxes.data() + 2 * X.d * at, *high = low + X.d;
        for (index_t place = begin; place < end; ++place) {
            const double* x = X.row(order[place]);
            for (index_t j = 0; j < X.d; ++j) {
                low[j] = x[j] < low[j] ? x[j] : low[j];
                high[j] = x[j] > high[j] ? x[j] : high[j];
            }
        }
        index_t column = -1;
        double widest = 0.0;
        for (index_t j = 0; j < X.d; ++j)
            if (const double wide = width(j, high[j] - low[j]); wide > widest) widest = wide, column = j;
        nodes.push_back({begin, end, column, -1, -1});
        return at;
    }

    // Values stand beside their records: nothing is fetched while they are moved.
    void halve(index_t begin, index_t middle, index_t end, index_t column) {
        by_value.clear();
        for (index_t place = begin; place < end; ++place)
            by_value.emplace_back(X.row(order[place])[column], order[place]);
        std::nth_element(by_value.begin(), by_value.begin() + (middle - begin), by_value.end());
        for (const auto& [value, record] : by_value) order[begin++] = record;
    }

    std::pair<index_t, index_t> build_both(index_t begin, index_t middle, index_t end) {
        const index_t left = build(begin, middle, 1);
        return {left, build(middle, end, 1)};
    }

    std::pair<index_t, index_t> build_together(index_t begin, index_t middle, index_t end, index_t n_threads) {
        Part one{X, order, leaf_size, width}, other{X, order, leaf_size, width};
        auto first = std::async(std::launch::async, [&] { one.build(begin, middle, n_threads / 2); });
        other.build(middle, end, n_threads - n_threads / 2);
        first.get();
        const index_t left = append(one);
        return {left, append(other)};
    }

    index_t append(const Part& part) {
        const index_t first = static_cast<index_t>(nodes.size());
        for (Node node : part.nodes) {
            if (node.left >= 0) node.left += first, node.right += first;
            nodes.push_back(node);
        }
        boxes.insert(boxes.end(), part.boxes.begin(), part.boxes.end());
        return first;
    }
};

KdTree::KdTree(Matrix X, std::vector<index_t> records, index_t leaf_size, const Width& width, index_t n_threads)
    : d_(X.d), order_(std::move(records)) {
    Part whole{X, order_.data(), leaf_size, width};
    whole.build(0, static_cast<index_t>(order_.size()), n_threads);
    nodes_ = std::move(whole.nodes);
    boxes_ = std::move(whole.boxes);
}

std::vector<index_t> KdTree::places(index_t n) const {
    std::vector<index_t> places(n, -1);
    for (std::size_t at = 0; at < order_.size(); ++at) places[order_[at]] = static_cast<index_t>(at);
    return places;
}

std::vector<double> KdTree::points(Matrix X) const {
    std::vector<double> points;
    points.reserve(order_.size() * X.d);
    for (const index_t record : order_) points.insert(points.end(), X.row(record), X.row(record) + X.d);
    return points;
}

}  // namespace shoal
