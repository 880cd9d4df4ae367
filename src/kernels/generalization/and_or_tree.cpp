// The tree of cuts from the bounds that the search has stored.
#include <algorithm>
#include <limits>
#include <utility>

#include "generalization/and_or.hpp"

namespace shoal {

namespace {

// Parents before children, and these by their codes.
std::vector<index_t> in_preorder(const std::vector<index_t>& nodes) {
    const std::size_t n = nodes.size() / 5;
    std::vector<std::vector<index_t>> below(n);
    for (std::size_t i = 1; i < n; ++i) below[nodes[5 * i]].push_back(static_cast<index_t>(i));
    std::vector<index_t> place(n), waiting{0}, sorted(nodes.size());
    index_t next = 0;
    while (!waiting.empty()) {
        const index_t node = waiting.back();
        waiting.pop_back();
        place[node] = next;
        std::copy_n(nodes.begin() + 5 * node, 5, sorted.begin() + 5 * next);
        if (node > 0) sorted[5 * next] = place[nodes[5 * node]];
        ++next;
        waiting.insert(waiting.end(), below[node].rbegin(), below[node].rend());
    }
    return sorted;
}

}  // namespace

std::vector<index_t> AndOr::tree() {
    std::vector<index_t> nodes{-1, -1, 0, 0, 0};
    Box written;
    for (const Attribute& attribute : planner_.space().problem().attributes)
        written.push_back({0, attribute.n_codes(), 0});
    BoxCounts whole = whole_;
    begin_planning();
    write_subtree({whole, 0, root_, std::move(written), 0}, nodes);
    merge_layer(planned_);
    return in_preorder(nodes);
}

// A cut is stored by the first code of its right side, merged or not, so it is the same cut in boxes without merged codes.
void AndOr::write_subtree(Subtree subtree, std::vector<index_t>& nodes) {
    auto& [counts, depth, box, written, node] = subtree;
    BoxSpace& space = planner_.space();
    if (space.may_be_cut(box.total.n)) recall(counts, depth, box);
    const BoxSolver::Best best = planner_.known_best(counts, box);
    const bool is_block = best.split.column < 0;
    for (index_t column = 0; column < space.n_attributes(); ++column)
        if (is_block || column == best.split.column)
            node = write_descent(counts, column, is_block, written, node, nodes);
    if (is_block) return;
    space.count(counts);
    const index_t column = best.split.column;
    const auto found = planner_.children(counts, box.key - box.total.key, best.split);
    std::size_t next = 0;
    space.parts(counts, column, best.split.at, [&](Span part) {
        const bool is_filled = next < found.size() && found[next].part.start == part.start;
        if (part.start == counts.box[column].start)
            part.start = written[column].start;  // the first and the last part cover what was shrunk away
        if (part.stop == counts.box[column].stop) part.stop = written[column].stop;
        const auto child = static_cast<index_t>(nodes.size() / 5);
        nodes.insert(nodes.end(), {node, column, part.start, part.stop, part.node});
        if (!is_filled) return;
        const BoxSolver::Child& one = found[next++];
        Box written_of_child = written;
        written_of_child[column] = part;
        BoxCounts inside;
        space.enter(counts, column, one.part, inside);
        const KnownBox known{one.sum, one.key};
        write_subtree({inside, depth + 1, known, std::move(written_of_child), child}, nodes);
    });
}

// Searches an evicted box again: for a good solution, or for the best where the whole problem is solved.
void AndOr::recall(const BoxCounts& counts, std::size_t depth, const KnownBox& box) {
    const bool is_proven = lower_ >= upper_;
    const BoxBounds* known = planned_.find(box.key, box.total.n);
    if (known && (known->is_exact() || !is_proven)) return;
    planner_.level(depth).box = counts;
    bool is_solved = false;
    if (is_proven)
        planner_.solve(depth, box, std::numeric_limits<double>::infinity(), is_solved);
    else
        planner_.greedy(depth, box);
}

// Cuts off what has no records: down to the node that is cut next, and of a block wherever its extent counts.
index_t AndOr::write_descent(const BoxCounts& counted, index_t column, bool is_block, Box& written, index_t node,
                             std::vector<index_t>& nodes) {
    const Attribute& attribute = planner_.space().problem().attributes[column];
    const Span& box = counted.box[column];
    if (planner_.space().problem().keeps[column]) return node;
    const auto add = [&](const Span& part) {
        nodes.insert(nodes.end(), {node, column, part.start, part.stop, part.node});
        return static_cast<index_t>(nodes.size() / 5) - 1;
    };
    while (attribute.rule[written[column].node] == Rule::all && written[column].node != box.node) {
        index_t inside = -1;
        Span below{};
        const index_t above = written[column].node, first = attribute.first_child[above];
        for (index_t child = first; child < first + attribute.n_children[above]; ++child) {
            const Span part{attribute.start[child], attribute.stop[child], child};
            const index_t added = add(part);
            if (part.start <= box.start && box.stop <= part.stop) {
                inside = added;
                below = part;
            }
        }
        node = inside;
        written[column] = below;
    }
    Span& line = written[column];
    if (!is_block || !planner_.space().reads_extents() || attribute.rule[line.node] != Rule::line) return node;
    if (line.start < box.start) {
        add({line.start, box.start, line.node});
        node = add({box.start, line.stop, line.node});
    }
    if (box.stop < line.stop) {
        const index_t inside = add({box.start, box.stop, line.node});
        add({box.stop, line.stop, line.node});
        node = inside;
    }
    line = box;
    return node;
}

}  // namespace shoal
