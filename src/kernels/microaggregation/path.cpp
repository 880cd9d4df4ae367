#include "microaggregation/path.hpp"

#include <algorithm>

namespace shoal {

// The error of a group grows record by record, backwards from its end, with a running mean counted from its last record:
// no sums of squares that would cancel, however far the records lie from zero.
std::vector<index_t> best_cut(Matrix X, const index_t* path, index_t k) {
    std::vector<double> cost(X.n + 1, 0.0);      // of the first i records
    std::vector<index_t> last_size(X.n + 1, 0);  // of the last group among them; 0 where they cannot be cut
    std::vector<double> mean(X.d);               // of the group in the making, less its last record
    for (index_t end = k; end <= X.n; ++end) {
        const double* last = X.row(path[end - 1]);
        std::fill(mean.begin(), mean.end(), 0.0);
        double error = 0.0;
        for (index_t size = 2; size <= std::min(2 * k - 1, end); ++size) {
            const double* x = X.row(path[end - size]);
            const double share = 1.0 / static_cast<double>(size);
            double distance = 0.0;
            for (index_t j = 0; j < X.d; ++j) {
                const double difference = (x[j] - last[j]) - mean[j];
                distance += difference * difference;
                mean[j] += difference * share;
            }
            error += distance * (1.0 - share);
            const bool can_be_cut = size >= k && (size == end || last_size[end - size] > 0);
            if (can_be_cut && (last_size[end] == 0 || cost[end - size] + error < cost[end])) {
                cost[end] = cost[end - size] + error;
                last_size[end] = size;
            }
        }
    }
    std::vector<index_t> labels(X.n);
    index_t group = 0;  // numbered from the end, then turned around
    for (index_t end = X.n; end > 0; end -= last_size[end], ++group)
        for (index_t at = end - last_size[end]; at < end; ++at) labels[path[at]] = group;
    for (index_t& label : labels) label = group - 1 - label;
    return labels;
}

std::vector<index_t> nearest_next_path(Matrix X, index_t start, NeighborSearch search) {
    const CodedPoints coded(X);
    ActiveSet left(coded.points(), search);
    std::vector<index_t> path{start};
    Nearest nearest(1);
    path.reserve(X.n);
    left.remove(start);
    while (left.n_active() > 0) {
        nearest.clear();
        left.nearest_to(path.back(), nearest);
        path.push_back(nearest.sorted().front().second);
        left.remove(path.back());
    }
    return path;
}

std::vector<index_t> path_through_groups(Matrix X, const index_t* labels, const std::vector<index_t>& group_path,
                                         const double* start) {
    std::vector<std::vector<index_t>> members(group_path.size());
    for (index_t i = 0; i < X.n; ++i) members[labels[i]].push_back(i);
    std::vector<index_t> path;
    path.reserve(X.n);
    for (const index_t group : group_path) {
        auto& left = members[group];
        while (!left.empty()) {
            const double* here = path.empty() ? start : X.row(path.back());
            const auto next = std::min_element(left.begin(), left.end(), [&](index_t a, index_t b) {
                return Candidate{squared_distance(X.row(a), here, X.d), a} <
                       Candidate{squared_distance(X.row(b), here, X.d), b};
            });
            path.push_back(*next);
            left.erase(next);
        }
    }
    return path;
}

index_t farthest_from(Matrix X, const double* center) {
    Candidate farthest{-1.0, -1};
    for (index_t i = 0; i < X.n; ++i) {
        const double distance = squared_distance(X.row(i), center, X.d);
        if (distance > farthest.first) farthest = {distance, i};
    }
    return farthest.second;
}

}  // namespace shoal
