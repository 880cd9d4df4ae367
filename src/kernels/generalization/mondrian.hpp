// Mondrian: blocks are cut recursively while the caller decides which cuts are allowed.
#pragma once

#include <vector>

#include "generalization/block_cuts.hpp"

namespace shoal {

class Mondrian {
public:
    Mondrian(std::vector<Attribute> attributes, CodedRows rows, CutChoice choice, LossKind loss, index_t least,
             UserRule user_loss);

    // The next cut of every open block, and the parts of it that have records: children. 0 when no block has a cut left.
    index_t propose();
    const std::vector<index_t>& child_totals() const { return child_totals_; }
    const std::vector<index_t>& child_proposals() const { return child_proposals_; }
    std::vector<index_t> child_parts(index_t column) const;  // (n_children, 3) start, stop, node
    std::vector<index_t> rows() const;                       // of all proposals, proposal by proposal
    std::vector<index_t> row_children() const;               // the child of each of them

    // Makes the proposed cuts that are allowed; the other blocks propose their next.
    void take(const index_t* allowed);

    // The nodes in preorder: (n_nodes, 5) parent, column of the cut, start, stop, node of the attribute.
    std::vector<index_t> nodes() const;
    // (n_codes_of_subsets, 2) node in preorder, code; for nodes that are a subset.
    std::vector<index_t> subsets() const;
    std::vector<index_t> labels() const;  // (n_rows,) the node in preorder that every row ends in

private:
    struct Node {
        index_t parent, column;
        Part part;
        index_t first_child = 0, n_children = 0;
    };
    struct Open {
        Block block;
        index_t node;
        std::vector<Cut> cuts;
        std::size_t next = 0;
    };
    struct Proposal {
        std::size_t open;
        std::vector<Part> parts;
        std::vector<index_t> children;  // part of every row
        std::vector<index_t> number;    // child of every part, -1 if it has no record
    };

    void open(Block block, index_t node);
    void make(const Proposal& proposal);
    std::vector<index_t> preorder() const;

    std::vector<Attribute> attributes_;
    CodedRows rows_;
    BlockCuts cuts_;
    std::vector<index_t> order_, end_node_;
    std::vector<Node> nodes_;
    std::vector<Open> open_, opened_;
    std::vector<Proposal> proposals_;
    std::vector<index_t> child_totals_, child_proposals_;
};

}  // namespace shoal
