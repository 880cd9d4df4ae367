#include "generalization/cut_tree.hpp"

#include <algorithm>

namespace shoal {

namespace {

constexpr index_t kAbreast = 32;  // records that walk together: while one waits for memory the others go on

index_t below(index_t node, const index_t* codes, CutNodes tree) {
    const index_t* first = tree.start + tree.begin[node];
    const index_t* last = tree.start + tree.begin[node + 1];
    const index_t* after = std::upper_bound(first + 1, last, codes[tree.column[node]]);
    return tree.child[after - 1 - tree.start];
}

void walk(const index_t* codes, index_t n, index_t n_columns, CutNodes tree, index_t* blocks) {
    std::fill_n(blocks, n, index_t{0});  // all at the root
    for (bool moving = true; moving;) {
        moving = false;
        for (index_t i = 0; i < n; ++i) {
            if (tree.column[blocks[i]] < 0) continue;
            blocks[i] = below(blocks[i], codes + i * n_columns, tree);
            moving = true;
        }
    }
    for (index_t i = 0; i < n; ++i) blocks[i] = tree.block[blocks[i]];
}

}  // namespace

std::vector<index_t> assign_blocks(const index_t* codes, index_t n, index_t n_columns, CutNodes tree) {
    std::vector<index_t> blocks(n);
    for (index_t i = 0; i < n; i += kAbreast)
        walk(codes + i * n_columns, std::min(kAbreast, n - i), n_columns, tree, blocks.data() + i);
    return blocks;
}

std::vector<index_t> node_parts(const index_t* parents, const index_t* cut_on, const index_t* part_of, index_t n_nodes,
                                index_t n_columns) {
    std::vector<index_t> parts(n_nodes * n_columns, 0);
    for (index_t node = 1; node < n_nodes; ++node) {
        std::copy_n(parts.begin() + parents[node] * n_columns, n_columns, parts.begin() + node * n_columns);
        parts[node * n_columns + cut_on[node]] = part_of[node];
    }
    return parts;
}

}  // namespace shoal
