#include "microaggregation/remaining_records.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "common/sums.hpp"
#include "microaggregation/mdav.hpp"

namespace shoal {

namespace {

using Place = std::pair<double, index_t>;  // (squared distance, record or group)

// After every real place, also where distances overflow to infinity.
constexpr Place kNowhere{std::numeric_limits<double>::infinity(), std::numeric_limits<index_t>::max()};

std::vector<index_t> without_group(const std::vector<index_t>& labels) {
    std::vector<index_t> records;
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (labels[i] < 0) records.push_back(static_cast<index_t>(i));
    return records;
}

}  // namespace

std::vector<index_t> join_nearest_record(Matrix X, std::vector<index_t> labels) {
    std::vector<std::pair<index_t, index_t>> joins;
    for (const index_t record : without_group(labels)) {
        Place nearest = kNowhere;
        for (index_t i = 0; i < X.n; ++i)
            if (labels[i] >= 0) nearest = std::min(nearest, {squared_distance(X.row(record), X.row(i), X.d), i});
        joins.push_back({record, labels[nearest.second]});
    }
    for (const auto& [record, group] : joins) labels[record] = group;
    return labels;
}

std::vector<index_t> join_nearest_centroid(Matrix X, std::vector<index_t> labels, index_t n_groups) {
    const std::vector<index_t> rest = without_group(labels);
    if (rest.empty()) return labels;
    for (const index_t record : rest) labels[record] = n_groups;  // a group of their own while the others are summed
    const std::vector<double> sums = group_sums(X, labels.data(), n_groups + 1);
    std::vector<index_t> sizes(n_groups + 1, 0);
    for (const index_t label : labels) ++sizes[label];

    std::vector<double> centroid(X.d);
    std::vector<Place> nearest(rest.size(), kNowhere);
    for (index_t g = 0; g < n_groups; ++g) {
        for (index_t j = 0; j < X.d; ++j) centroid[j] = sums[g * X.d + j] / static_cast<double>(sizes[g]);
        for (std::size_t r = 0; r < rest.size(); ++r)
            nearest[r] = std::min(nearest[r], {squared_distance(X.row(rest[r]), centroid.data(), X.d), g});
    }
    for (std::size_t r = 0; r < rest.size(); ++r) labels[rest[r]] = nearest[r].second;
    return labels;
}

std::vector<index_t> split_large(Matrix X, std::vector<index_t> labels, index_t n_groups, index_t k) {
    std::vector<std::vector<index_t>> members(n_groups);
    for (index_t i = 0; i < X.n; ++i) members[labels[i]].push_back(i);
    std::vector<double> values;
    for (const auto& group : members) {
        const auto size = static_cast<index_t>(group.size());
        if (size < 2 * k) continue;
        values.clear();
        for (const index_t record : group) values.insert(values.end(), X.row(record), X.row(record) + X.d);
        const std::vector<index_t> ones(size, 1);
        Mdav parts({values.data(), size, X.d}, ones.data(), k, NeighborSearch::scan);
        parts.step(size);
        index_t n_new = 0;
        for (index_t m = 0; m < size; ++m) {
            const index_t part = parts.labels()[m];
            if (part > 0) labels[group[m]] = n_groups + part - 1;
            n_new = std::max(n_new, part);
        }
        n_groups += n_new;
    }
    return labels;
}

}  // namespace shoal
