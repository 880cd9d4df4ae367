// A k-d tree over the active records that supports removal.
//
// A perfect binary tree in one array: the children of node i are 2i + 1 and 2i + 2, all leaves are on the last level.
// Every node has the bounding box and the lowest number of the active records below it; both are kept tight on removal.
// Bounds need no slack: rounded subtraction, squaring and addition in a fixed order are monotone, so the rounded
// distance to a box never exceeds the rounded distance to a record in it.
//
// Boxes bound the farthest distance badly, since their corners are empty. So every node also has the largest distance of
// its records from a fixed origin o: |x - q|^2 = |x - o|^2 + |q - o|^2 - 2 (x - o)(q - o), each term bounded by itself. This one
// needs a slack for rounding. It is about columns of numbers; of codes, boxes say which categories there can be.
#pragma once

#include <memory>
#include <vector>

#include "common/active_index.hpp"
#include "common/halving.hpp"

namespace shoal {

// D: the number of columns where it is known to the compiler, 0 where it is not. Coded: some columns are codes.
template <index_t D, bool Coded>
class DynamicKdTree final : public PointIndex {
public:
    DynamicKdTree(Points X, const std::vector<index_t>& records, const Duplicates& duplicates);

    void nearest_to(index_t record, Nearest& nearest) override;
    Candidate nearest_and_farthest(index_t record, Nearest& nearest) override;
    std::optional<Candidate> farthest_from(const double* point) override;
    void remove(index_t record) override;
    void replace(index_t record, index_t equal) override;
    double work() const override { return work_; }

private:
    static constexpr index_t kLeaf = 32;    // records of a leaf at most
    static constexpr index_t kLanes = 4;    // records whose distances are computed together
    static constexpr index_t kColumns = 4;  // columns after which distances are compared with the limit

    struct Siblings {
        double left, right;
    };

    index_t d() const { return D > 0 ? D : X_.cells.d; }
    bool is_code(index_t column) const { return Coded && X_.steps[column] != 0.0; }
    bool is_leaf(index_t node) const { return node >= first_leaf_; }
    // Lower corners of two siblings side by side, then their upper corners: both are looked at together.
    const double* boxes_below(index_t node) const { return boxes_.data() + (node + 1) * 4 * d(); }
    double* box(index_t node) { return boxes_.data() + (node + 1) / 2 * 4 * d() + (node + 1) % 2; }
    const double* box(index_t node) const { return boxes_.data() + (node + 1) / 2 * 4 * d() + (node + 1) % 2; }
    double* columns(index_t leaf) { return columns_.data() + leaf * (d() + 1) * kLeaf; }
    const double* columns(index_t leaf) const { return columns_.data() + leaf * (d() + 1) * kLeaf; }

    void divide(index_t node, index_t* begin, index_t* end);
    index_t widest_column(const index_t* begin, const index_t* end) const;
    void fill_leaf(index_t node, const index_t* begin, const index_t* end);
    void tighten_loosened();
    bool tighten_leaf(index_t node);
    bool tighten(index_t node);
    bool is_on_boundary(index_t node, index_t record, double norm) const;

    double least_distance(index_t node, const double* point) const;
    Siblings least_distances(index_t node, const double* point) const;
    Siblings most_distances(index_t node, const double* point) const;
    double from_origin(const double* point) const;
    Candidate farthest_in_tree(const double* point);
    void set_viewpoint(const double* point);
    void visit_nearest(index_t node, double least, const double* point, Nearest& nearest);
    void visit_farthest(index_t node, double most, const double* point, Candidate& farthest);
    void add_columns(index_t leaf, index_t begin, index_t first, index_t last, const double* point,
                     double* distance) const;
    void look_for_nearest(index_t node, const double* point, Nearest& nearest);
    void look_for_farthest(index_t node, const double* point, Candidate& farthest);

    Points X_;
    index_t first_leaf_;
    std::vector<double> boxes_;      // (n_siblings, d, 4) corners of the boxes of the active records below
    std::vector<double> origin_;     // (d,)
    std::vector<double> reach_;      // (n_nodes,) largest |x - origin|^2 of the active records below; none: -infinity
    std::vector<double> heading_;    // (d,) from the origin to the query point
    double heading_squared_ = 0;     // its square
    std::vector<index_t> lowest_;    // (n_nodes,) lowest active record below; n where none is
    std::vector<index_t> n_active_;  // (n_leaves,)
    std::vector<double> columns_;    // (n_leaves, d + 1, kLeaf) active records of a leaf first; last |x - origin|^2
    std::vector<index_t> record_;    // (n_leaves, kLeaf)
    std::vector<index_t> slot_;      // (n,) place of a record in record_
    std::vector<index_t> loosened_;  // leaves whose bounds may be wider than their active records
    Halving halving_;
    double work_ = 0;
};

// The tree for a number of columns.
std::unique_ptr<ActiveIndex> dynamic_kd_tree(Points X, const std::vector<index_t>& records,
                                             const Duplicates& duplicates);

}  // namespace shoal
