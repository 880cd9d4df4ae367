#include "microaggregation/forest.hpp"

#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>

namespace shoal {

namespace {

// Disjoint sets of records with the root and size of each tree.
class Trees {
public:
    explicit Trees(index_t n) : leader_(n), root_(n), size_(n, 1) {
        std::iota(leader_.begin(), leader_.end(), 0);
        std::iota(root_.begin(), root_.end(), 0);
    }

    index_t of(index_t record) {
        while (leader_[record] != record) record = leader_[record] = leader_[leader_[record]];
        return record;
    }
    index_t root(index_t tree) const { return root_[tree]; }
    index_t size(index_t tree) const { return size_[tree]; }

    // The root of `small` now points into `other`, whose root stays.
    void attach(index_t small, index_t other) {
        const index_t root = root_[other];
        if (size_[small] > size_[other]) std::swap(small, other);
        leader_[small] = other;
        size_[other] += size_[small];
        root_[other] = root;
    }

private:
    std::vector<index_t> leader_, root_, size_;
};

// The root of a tree would point to the nearest record outside.
struct Edge {
    double distance;
    index_t root, other;
};

struct Later {
    bool operator()(const Edge& a, const Edge& b) const {
        return a.distance != b.distance ? a.distance < b.distance : a.root > b.root;
    }
};

}  // namespace

std::vector<index_t> nearest_forest(Matrix X, index_t k, NeighborSearch search) {
    const CodedPoints coded(X);
    ActiveSet records(coded.points(), search);
    Trees trees(X.n);
    std::vector<index_t> points_to(X.n, -1);
    Nearest near(k);
    std::priority_queue<Edge, std::vector<Edge>, Later> edges;
    const auto propose = [&](index_t root) {
        const index_t tree = trees.of(root);
        if (trees.size(tree) >= k) return;
        // Fewer than k records are in the tree, so one of the k nearest is outside.
        near.clear();
        records.nearest_to(root, near);
        for (const auto& [distance, other] : near.sorted())
            if (trees.of(other) != tree) return edges.push({distance, root, other});
    };
    for (index_t i = 0; i < X.n; ++i) propose(i);
    while (!edges.empty()) {
        const auto [distance, root, other] = edges.top();
        edges.pop();
        const index_t tree = trees.of(root), larger = trees.of(other);
        const bool outdated = trees.root(tree) != root || trees.size(tree) >= k || tree == larger;
        if (outdated) continue;
        const index_t new_root = trees.root(larger);
        points_to[root] = other;
        trees.attach(tree, larger);
        propose(new_root);  // the record it would point to may now be in its own tree
    }
    return points_to;
}

namespace {

// Nodes are the records and, after a cut, weightless copies that hold the parts of a tree together.
class ForestCutter {
public:
    ForestCutter(const index_t* points_to, index_t n, index_t k)
        : n_(n), k_(k), linked_(n), weight_(n, 1), parent_(n), below_(n), labels_(n, -1) {
        for (index_t i = 0; i < n; ++i)
            if (points_to[i] >= 0) {
                linked_[i].push_back(points_to[i]);
                linked_[points_to[i]].push_back(i);
            }
        for (auto& nodes : linked_) std::sort(nodes.begin(), nodes.end());
        for (index_t i = n - 1; i >= 0; --i)
            if (points_to[i] < 0) trees_.push_back(i);
    }

    std::vector<index_t> cut() {
        while (!trees_.empty()) {
            const index_t start = trees_.back();
            trees_.pop_back();
            walk(start);
            if (total_ > most())
                cut_in_two(start);
            else
                close_group();
        }
        return labels_;
    }

private:
    index_t most() const { return std::max(2 * k_ - 1, 3 * k_ - 5); }

    // Nodes of the tree from its start, parents before children, and the weight below each.
    void walk(index_t start) {
        order_.assign(1, start);
        parent_[start] = -1;
        for (std::size_t at = 0; at < order_.size(); ++at)
            for (const index_t next : linked_[order_[at]])
                if (next != parent_[order_[at]]) {
                    parent_[next] = order_[at];
                    order_.push_back(next);
                }
        for (const index_t node : order_) below_[node] = weight_[node];
        for (std::size_t at = order_.size() - 1; at > 0; --at) below_[parent_[order_[at]]] += below_[order_[at]];
        total_ = below_[start];
    }

    // Weight of the part beyond the edge from `here` to its neighbor `there`.
    index_t beyond(index_t here, index_t there) const {
        return parent_[there] == here ? below_[there] : total_ - below_[here];
    }

    void cut_in_two(index_t here) {
        while (true) {
            index_t heaviest = linked_[here].front();
            for (const index_t next : linked_[here])
                if (beyond(here, next) > beyond(here, heaviest)) heaviest = next;
            const index_t weight = beyond(here, heaviest), rest = total_ - weight;
            if (weight >= k_ && rest >= k_) return cut_edge(here, heaviest);
            if (rest == k_ - 1 && weight_[heaviest] == 1) return part_at(heaviest, here);
            if (rest > k_ - 1) return gather_at(here);
            here = heaviest;
        }
    }

    // All branches are light: they are gathered, heaviest first, until they can be a group, with the node itself if that
    // makes up the number, and so on until what is left is small enough. Without the node's weight too little may be left
    // for one more group: then the rest stays whole.
    void gather_at(index_t here) {
        std::vector<index_t> branches = linked_[here];
        std::stable_sort(branches.begin(), branches.end(),
                         [&](index_t a, index_t b) { return beyond(here, a) > beyond(here, b); });
        auto first = branches.begin();
        index_t own = weight_[here];
        for (index_t left = total_; left > most();) {
            auto last = first;
            index_t weight = 0;
            while (last != branches.end() && weight + own < k_) weight += beyond(here, *last++);
            const bool takes_node = weight < k_;
            const index_t rest = left - weight - (takes_node ? own : 0);
            if (rest < k_) break;
            for (; first != last; ++first) label_beyond(here, *first);
            if (takes_node && own) {
                labels_[here] = n_groups_;
                own = 0;
            }
            ++n_groups_;
            left = rest;
        }
        for (; first != branches.end(); ++first) label_beyond(here, *first);
        if (own) labels_[here] = n_groups_;
        ++n_groups_;
    }

    void label_beyond(index_t here, index_t there) {
        std::vector<std::pair<index_t, index_t>> to_visit{{here, there}};
        while (!to_visit.empty()) {
            const auto [from, node] = to_visit.back();
            to_visit.pop_back();
            if (node < n_) labels_[node] = n_groups_;
            for (const index_t next : linked_[node])
                if (next != from) to_visit.push_back({node, next});
        }
    }

    void cut_edge(index_t a, index_t b) {
        std::erase(linked_[a], b);
        std::erase(linked_[b], a);
        trees_.push_back(a);
        trees_.push_back(b);
    }

    // The node goes with its neighbor `kept`; a copy holds its other branches together.
    void part_at(index_t node, index_t kept) {
        const auto copy = static_cast<index_t>(linked_.size());
        std::vector<index_t> others = linked_[node];
        std::erase(others, kept);
        linked_[node] = {kept};
        for (const index_t next : others) std::replace(linked_[next].begin(), linked_[next].end(), node, copy);
        linked_.push_back(std::move(others));
        weight_.push_back(0);
        parent_.push_back(-1);
        below_.push_back(0);
        trees_.push_back(node);
        trees_.push_back(copy);
    }

    void close_group() {
        for (const index_t node : order_)
            if (node < n_) labels_[node] = n_groups_;
        ++n_groups_;
    }

    index_t n_, k_;
    index_t total_ = 0;
    index_t n_groups_ = 0;
    std::vector<std::vector<index_t>> linked_;  // neighbors of every node
    std::vector<index_t> weight_;               // 1 for a record, 0 for a copy
    std::vector<index_t> parent_, below_;       // of the tree walked last
    std::vector<index_t> order_;
    std::vector<index_t> trees_;  // a node of every tree that is not processed yet
    std::vector<index_t> labels_;
};

}  // namespace

std::vector<index_t> cut_forest(const index_t* points_to, index_t n, index_t k) {
    return ForestCutter(points_to, n, k).cut();
}

}  // namespace shoal
