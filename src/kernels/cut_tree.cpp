#include "cut_tree.hpp"

#include <algorithm>

namespace shoal {

namespace {

index_t block_of(const index_t* codes, CutNodes tree) {
    index_t node = 0;
    while (tree.column[node] >= 0) {
        const index_t* first = tree.start + tree.begin[node];
        const index_t* last = tree.start + tree.begin[node + 1];
        const index_t* after = std::upper_bound(first + 1, last, codes[tree.column[node]]);
        node = tree.child[after - 1 - tree.start];
    }
    return tree.block[node];
}

}  // namespace

std::vector<index_t> assign_blocks(const index_t* codes, index_t n, index_t n_columns, CutNodes tree) {
    std::vector<index_t> blocks(n);
    for (index_t i = 0; i < n; ++i) blocks[i] = block_of(codes + i * n_columns, tree);
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
