#include "generalization/mondrian.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace shoal {

Mondrian::Mondrian(std::vector<Attribute> attributes, CodedRows rows, CutChoice choice, LossKind loss, index_t least,
                   UserRule user_loss)
    : attributes_(std::move(attributes)), rows_(rows),
      cuts_(attributes_, rows, choice, loss, least, std::move(user_loss)), order_(rows.n_rows),
      end_node_(rows.n_rows, 0) {
    std::iota(order_.begin(), order_.end(), index_t{0});
    Block block{0, rows.n_rows, std::accumulate(rows.n, rows.n + rows.n_rows, index_t{0}), {}};
    for (const auto& attribute : attributes_) block.parts.push_back({0, attribute.n_codes(), 0, {}});
    nodes_.push_back({-1, -1, {}});
    open(std::move(block), 0);
    std::swap(open_, opened_);
}

// A block without any cut is done: nothing is kept of it but its node.
void Mondrian::open(Block block, index_t node) {
    auto cuts = cuts_.of(block, order_.data());
    if (!cuts.empty()) opened_.push_back({std::move(block), node, std::move(cuts)});
}

index_t Mondrian::propose() {
    proposals_.clear();
    child_totals_.clear();
    child_proposals_.clear();
    for (std::size_t at = 0; at < open_.size(); ++at) {
        Open& one = open_[at];
        const Cut& cut = one.cuts[one.next];
        Proposal proposal{at, cuts_.parts(one.block, order_.data(), cut), {}, {}};
        proposal.children = cuts_.children(one.block, order_.data(), cut, proposal.parts);
        std::vector<index_t> totals(proposal.parts.size(), 0);
        for (index_t i = 0; i < one.block.end - one.block.begin; ++i)
            totals[proposal.children[i]] += rows_.n[order_[one.block.begin + i]];
        for (const index_t total : totals) {
            proposal.number.push_back(total ? static_cast<index_t>(child_totals_.size()) : -1);
            if (!total) continue;
            child_totals_.push_back(total);
            child_proposals_.push_back(static_cast<index_t>(at));
        }
        proposals_.push_back(std::move(proposal));
    }
    return static_cast<index_t>(proposals_.size());
}

std::vector<index_t> Mondrian::child_parts(index_t column) const {
    std::vector<index_t> found;
    for (const auto& proposal : proposals_) {
        const Open& one = open_[proposal.open];
        for (std::size_t p = 0; p < proposal.parts.size(); ++p) {
            if (proposal.number[p] < 0) continue;
            const bool is_cut = one.cuts[one.next].column == column;
            const Part& part = is_cut ? proposal.parts[p] : one.block.parts[column];
            if (part.codes.empty())
                found.insert(found.end(), {part.start, part.stop, part.node});
            else  // of a subset only its size counts
                found.insert(found.end(), {0, part.size(), part.node});
        }
    }
    return found;
}

std::vector<index_t> Mondrian::rows() const {
    std::vector<index_t> found;
    for (const auto& proposal : proposals_) {
        const Block& block = open_[proposal.open].block;
        found.insert(found.end(), order_.begin() + block.begin, order_.begin() + block.end);
    }
    return found;
}

std::vector<index_t> Mondrian::row_children() const {
    std::vector<index_t> found;
    for (const auto& proposal : proposals_)
        for (const index_t child : proposal.children) found.push_back(proposal.number[child]);
    return found;
}

void Mondrian::take(const index_t* allowed) {
    std::vector<Open> still;
    for (const auto& proposal : proposals_) {
        if (allowed[proposal.open]) {
            make(proposal);
        } else {
            Open& one = open_[proposal.open];
            if (++one.next < one.cuts.size()) still.push_back(std::move(one));
        }
    }
    open_ = std::move(still);
    std::move(opened_.begin(), opened_.end(), std::back_inserter(open_));
    opened_.clear();
    proposals_.clear();
}

// Rows are sorted by their child, in their order; every part becomes a node, every one with records a block.
void Mondrian::make(const Proposal& proposal) {
    const Open& one = open_[proposal.open];
    const Block& block = one.block;
    const std::size_t n_parts = proposal.parts.size();
    std::vector<index_t> begin(n_parts + 1, block.begin), totals(n_parts, 0);
    for (std::size_t i = 0; i < proposal.children.size(); ++i) {
        ++begin[proposal.children[i] + 1];
        totals[proposal.children[i]] += rows_.n[order_[block.begin + i]];
    }
    for (std::size_t p = 0; p < n_parts; ++p) begin[p + 1] += begin[p] - block.begin;
    std::vector<index_t> moved(proposal.children.size()), next(begin.begin(), begin.end() - 1);
    for (std::size_t i = 0; i < proposal.children.size(); ++i)
        moved[next[proposal.children[i]]++ - block.begin] = order_[block.begin + i];
    std::copy(moved.begin(), moved.end(), order_.begin() + block.begin);

    const index_t first = static_cast<index_t>(nodes_.size()), column = one.cuts[one.next].column;
    nodes_[one.node].first_child = first;
    nodes_[one.node].n_children = static_cast<index_t>(n_parts);
    for (const Part& part : proposal.parts) nodes_.push_back({one.node, column, part});
    for (std::size_t p = 0; p < n_parts; ++p) {
        if (begin[p] == begin[p + 1]) continue;
        const index_t node = first + static_cast<index_t>(p);
        for (index_t at = begin[p]; at < begin[p + 1]; ++at) end_node_[order_[at]] = node;
        Block child{begin[p], begin[p + 1], totals[p], block.parts};
        child.parts[column] = proposal.parts[p];
        if (totals[p]) open(std::move(child), node);  // rows without records are cut along, and never alone
    }
}

// (n_nodes,) where every node stands when parents come before children and these in their order.
std::vector<index_t> Mondrian::preorder() const {
    std::vector<index_t> place(nodes_.size()), waiting{0};
    index_t next = 0;
    while (!waiting.empty()) {
        const index_t node = waiting.back();
        waiting.pop_back();
        place[node] = next++;
        for (index_t c = nodes_[node].n_children; c-- > 0;) waiting.push_back(nodes_[node].first_child + c);
    }
    return place;
}

std::vector<index_t> Mondrian::nodes() const {
    const auto place = preorder();
    std::vector<index_t> found(nodes_.size() * 5);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const Node& node = nodes_[i];
        index_t* row = found.data() + place[i] * 5;
        row[0] = node.parent < 0 ? -1 : place[node.parent];
        row[1] = node.column;
        row[2] = node.part.start;
        row[3] = node.part.stop;
        row[4] = node.part.node;
    }
    return found;
}

std::vector<index_t> Mondrian::subsets() const {
    const auto place = preorder();
    std::vector<index_t> found;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
        for (const index_t code : nodes_[i].part.codes) found.insert(found.end(), {place[i], code});
    return found;
}

std::vector<index_t> Mondrian::labels() const {
    const auto place = preorder();
    std::vector<index_t> found(rows_.n_rows);
    for (index_t row = 0; row < rows_.n_rows; ++row) found[row] = place[end_node_[row]];
    return found;
}

}  // namespace shoal
