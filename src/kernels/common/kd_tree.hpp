// A k-d tree over records: halved at the median of the widest column, with the bounding box of every node.
//
// Nodes are in preorder, and records of a leaf ascending: the tree is the same for any number of threads.
#pragma once

#include <functional>
#include <vector>

#include "common/matrix.hpp"

namespace shoal {

std::vector<index_t> all_records(index_t n);  // 0 .. n - 1

class KdTree {
public:
    struct Node {
        index_t begin, end;   // records in tree order
        index_t column;       // the widest; -1 where all records are alike
        index_t left, right;  // -1 for a leaf
    };

    // How much the extent of a column counts; 0 where records that far apart are alike.
    using Width = std::function<double(index_t column, double extent)>;

    // Leaves have `leaf_size` records at most, unless they are all alike. Of equally wide columns the lowest is cut; equal
    // values are halved by the number of the record.
    KdTree(Matrix X, std::vector<index_t> records, index_t leaf_size, const Width& width, index_t n_threads = 1);

    const Node& node(index_t at) const { return nodes_[at]; }
    const std::vector<index_t>& order() const { return order_; }  // record at a place of the tree
    const double* low(index_t node) const { return boxes_.data() + 2 * d_ * node; }
    const double* high(index_t node) const { return low(node) + d_; }

    std::vector<index_t> places(index_t n) const;  // (n,) place of a record in the tree; -1 where it has none
    std::vector<double> points(Matrix X) const;    // (n_places, d) values in tree order

private:
    struct Part;

    index_t d_;
    std::vector<index_t> order_;
    std::vector<Node> nodes_;
    std::vector<double> boxes_;  // (n_nodes, 2, d) lowest and highest values
};

}  // namespace shoal
