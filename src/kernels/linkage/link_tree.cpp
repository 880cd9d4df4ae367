#include "linkage/link_tree.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace shoal {

namespace {

constexpr index_t kLinkLeaf = 32;  // points of a leaf at most, unless they are all alike

}  // namespace

LinkTree::LinkTree(Matrix X, Metric metric, const index_t* counts, index_t n_threads)
    : LinkTree(X, std::move(metric), counts, n_threads, Duplicates(X)) {}

LinkTree::LinkTree(Matrix X, Metric metric, const index_t* counts, index_t n_threads, const Duplicates& duplicates)
    : d_(X.d), metric_(std::move(metric)),
      tree_(
          X, duplicates.different(), kLinkLeaf, [&](index_t j, double extent) { return metric_.term(j, extent); },
          n_threads),
      counts_(tree_.order().size(), 0), place_(tree_.places(X.n)), columns_(counts_.size() * d_) {
    for (index_t i = 0; i < X.n; ++i) {
        if (duplicates.before(i) >= 0) place_[i] = place_[duplicates.before(i)];
        counts_[place_[i]] += counts[i];
    }
    for (index_t at = 0; at < n_points(); ++at)
        for (index_t j = 0; j < d_; ++j) columns_[j * n_points() + at] = X.row(tree_.order()[at])[j];
}

std::vector<LinkTally> LinkTree::tally(Matrix records, const index_t* truth, index_t n_wanted) const {
    std::vector<LinkTally> tallies(records.n);
    for (index_t i = 0; i < records.n; ++i) {
        const double* point = records.row(i);
        if (truth[i] >= 0) {
            double distance = 0.0;
            for (index_t j = 0; j < d_; ++j) distance += metric_.term(j, value(j, place_[truth[i]]) - point[j]);
            tallies[i].to_truth = distance;
            tallies[i].fingerprint_of_truth = fingerprint(place_[truth[i]], point);
        }
        visit(0, point, n_wanted, tallies[i]);
    }
    return tallies;
}

// The distance to the box of a node, or a part of it that is above the limit already.
double LinkTree::least_distance(index_t node, const double* point, double limit) const {
    double total = 0.0;
    for (index_t j = 0; j < d_ && total <= limit; ++j)
        total += metric_.term(j, std::max({tree_.low(node)[j] - point[j], point[j] - tree_.high(node)[j], 0.0}));
    return total;
}

residue_t LinkTree::fingerprint(index_t place, const double* point) const {
    residue_t total = 0;
    for (index_t j = 0; j < d_; ++j) total = plus(total, metric_.fingerprint_term(j, value(j, place), point[j]));
    return total;
}

// The nearer half first: it shuts most of the other out.
void LinkTree::visit(index_t at, const double* point, index_t n_wanted, LinkTally& tally) const {
    const KdTree::Node& node = tree_.node(at);
    if (node.left < 0) {
        look_at(node, point, n_wanted, tally);
        return;
    }
    const double slack = metric_.slack(), limit = tally.limit(n_wanted, slack);
    const double to_left = least_distance(node.left, point, limit), to_right = least_distance(node.right, point, limit);
    const bool left_first = to_left <= to_right;
    const auto [near, far] = left_first ? std::pair(node.left, node.right) : std::pair(node.right, node.left);
    if (std::min(to_left, to_right) <= limit) visit(near, point, n_wanted, tally);
    if (std::max(to_left, to_right) <= tally.limit(n_wanted, slack)) visit(far, point, n_wanted, tally);
}

void LinkTree::look_at(const KdTree::Node& leaf, const double* point, index_t n_wanted, LinkTally& tally) const {
    double distance[kLinkLeaf] = {};
    const bool all_alike = leaf.column < 0;  // at the same distance from everything
    const index_t size = all_alike ? 1 : leaf.end - leaf.begin;
    for (index_t j = 0; j < d_; ++j) {
        const double* column = columns_.data() + j * n_points() + leaf.begin;
        const double weight = metric_.weights[j];
        for (index_t p = 0; p < size; ++p) {
            const double difference = column[p] - point[j];
            distance[p] += difference * difference * weight;
        }
    }
    const auto counts = counts_.begin() + leaf.begin;
    const double slack = metric_.slack();
    for (index_t p = 0; p < size; ++p)
        if (distance[p] <= tally.limit(n_wanted, slack))
            tally.consider(distance[p], tree_.order()[leaf.begin + p],
                           all_alike ? std::accumulate(counts, counts_.begin() + leaf.end, index_t{0}) : counts[p],
                           slack, [&] { return fingerprint(leaf.begin + p, point); });
}

}  // namespace shoal
