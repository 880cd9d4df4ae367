// The block of every record in a tree of cuts, and the parts that its nodes cover.
#pragma once

#include <vector>

#include "common/matrix.hpp"

namespace shoal {

// A tree as arrays. Node i is cut on `column[i]`, -1 for a block; its segments begin[i] .. begin[i + 1] - 1 each
// start at a code and lead to a child, which comes after its parent. `block[i]` numbers the blocks.
struct CutNodes {
    const index_t* column;
    const index_t* begin;
    const index_t* start;
    const index_t* child;
    const index_t* block;
};

// Codes are rows: code of record i in column j is codes[i * n_columns + j]. A code before the first segment takes that.
std::vector<index_t> assign_blocks(const index_t* codes, index_t n, index_t n_columns, CutNodes tree);

// (n_nodes, n_columns) the part of every column that a node covers; 0 where it was never cut.
std::vector<index_t> node_parts(const index_t* parents, const index_t* cut_on, const index_t* part_of, index_t n_nodes,
                                index_t n_columns);

}  // namespace shoal
