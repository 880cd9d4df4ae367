#include "generalization/block_tests.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace shoal {

namespace {

constexpr double kSlack = 1e-9;  // as in shoal.requirements.shares

using Counts = const index_t*;

index_t known_of(Counts counts, index_t size) { return std::accumulate(counts, counts + size, index_t{0}); }

double entropy(Counts counts, index_t size, double known) {
    double sum = 0.0;
    for (index_t v = 0; v < size; ++v)
        if (counts[v]) sum -= counts[v] / known * std::log(counts[v] / known);
    return sum;
}

bool is_recursive(Counts counts, index_t size, double c, index_t from) {
    std::vector<index_t> sorted(counts, counts + size);
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    if (size < from || sorted[from - 1] == 0) return false;
    const auto rest = static_cast<double>(std::accumulate(sorted.begin() + from - 1, sorted.end(), index_t{0}));
    return static_cast<double>(sorted[0]) < c * rest * (1 - kSlack);
}

double equal_distance(Counts counts, const std::vector<double>& overall, double known) {
    double sum = 0.0;
    for (std::size_t v = 0; v < overall.size(); ++v) sum += std::max(counts[v] / known - overall[v], 0.0);
    return sum;
}

// Only values that occur stand in the order.
double ordered_distance(Counts counts, const std::vector<double>& overall, double known) {
    double sum = 0.0, ahead = 0.0;
    index_t n_values = 0;
    for (std::size_t v = 0; v < overall.size(); ++v) {
        if (overall[v] == 0.0 && counts[v] == 0) continue;
        ++n_values;
        ahead += counts[v] / known - overall[v];
        sum += std::abs(ahead);
    }
    return n_values < 2 ? 0.0 : sum / static_cast<double>(n_values - 1);
}

double tree_distance(Counts counts, const BlockTest& test, double known) {
    const index_t n_levels = static_cast<index_t>(test.tree.size()) / test.size;
    double sum = 0.0;
    for (index_t level = 0; level < n_levels; ++level) {
        const index_t* node = test.tree.data() + level * test.size;
        const std::size_t n_nodes = static_cast<std::size_t>(*std::max_element(node, node + test.size)) + 1;
        std::vector<index_t> of_node(n_nodes, 0);
        std::vector<double> whole(n_nodes, 0.0);
        for (index_t v = 0; v < test.size; ++v) {
            of_node[node[v]] += counts[v];
            whole[node[v]] += test.overall[v];
        }
        sum += equal_distance(of_node.data(), whole, known);
    }
    return sum / static_cast<double>(n_levels);
}

double largest_difference(Counts counts, const std::vector<double>& overall, double known) {
    double largest = 0.0;
    for (std::size_t v = 0; v < overall.size(); ++v) {
        if (counts[v] == 0 && overall[v] == 0.0) continue;
        if (counts[v] == 0 || overall[v] == 0.0) return kInfinity;
        largest = std::max(largest, std::abs(std::log(counts[v] / known / overall[v])));
    }
    return largest;
}

double largest_gain(Counts counts, const std::vector<double>& overall, double known, bool enhanced) {
    double largest = 0.0;
    for (std::size_t v = 0; v < overall.size(); ++v) {
        if (counts[v] == 0) continue;
        if (overall[v] == 0.0) return kInfinity;
        const double gain = std::max(counts[v] / known / overall[v] - 1, 0.0);
        if (enhanced && gain > -std::log(overall[v]) + kSlack) return kInfinity;
        largest = std::max(largest, gain);
    }
    return largest;
}

double least_epsilon(double known, double most, double b, double sigma) {
    const double n = known - b;
    if (n <= 0 || most >= n) return kInfinity;
    return std::max(1 + sigma / n, (sigma * n / (n - most) + n) / (sigma - 1 + n));
}

}  // namespace

bool BlockTest::holds(Counts all) const {
    if (kind == TestKind::user) return holds_for_user(all);
    Counts counts = all + first;
    const auto known = static_cast<double>(known_of(counts, size));
    if (known == 0) return false;
    const auto most = static_cast<double>(*std::max_element(counts, counts + size));
    switch (kind) {
        case TestKind::distinct: return size - std::count(counts, counts + size, index_t{0}) >= asked;
        case TestKind::entropy: return entropy(counts, size, known) >= asked - kSlack;
        case TestKind::recursive: return is_recursive(counts, size, asked, static_cast<index_t>(from));
        case TestKind::share: return most / known <= asked + kSlack;
        case TestKind::equal: return equal_distance(counts, overall, known) <= asked + kSlack;
        case TestKind::ordered: return ordered_distance(counts, overall, known) <= asked + kSlack;
        case TestKind::tree: return tree_distance(counts, *this, known) <= asked + kSlack;
        case TestKind::delta: return largest_difference(counts, overall, known) < asked - kSlack;
        case TestKind::beta: return largest_gain(counts, overall, known, false) <= asked + kSlack;
        case TestKind::enhanced_beta: return largest_gain(counts, overall, known, true) <= asked + kSlack;
        case TestKind::epsilon: return least_epsilon(known, most, from, sigma) <= asked * (1 + kSlack);
        default: return true;
    }
}

bool BlockTest::holds_for_user(Counts all) const {
    std::vector<index_t> row{all[total]};
    row.insert(row.end(), all + first, all + first + size);
    return user->of(row) != 0.0;
}

bool BlockTest::holds(const Attribute& attribute, index_t start, index_t stop, index_t node) const {
    const bool is_line = attribute.rule[node] == Rule::line;
    const double length = is_line ? overall[stop] - overall[start] - from : node_lengths[node];
    return length >= asked * (1 - kSlack);
}

}  // namespace shoal
