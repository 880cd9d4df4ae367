// MDAV, exact: the same groups on every machine, whether the living records are scanned or kept in a tree.
//
// What is grouped are units of one or more members, such as households: a group has at least k members, and a unit is
// never split. Records are units of one.
#pragma once

#include <memory>
#include <vector>

#include "exact_sum.hpp"
#include "living.hpp"
#include "matrix.hpp"
#include "outskirts.hpp"

namespace shoal {

enum class Search { automatic, scan, tree };

class Mdav {
public:
    // X (n units) and members (n, how many each has) are read while the object lives.
    Mdav(Matrix X, const index_t* members, index_t k, Search search);

    // Form at least `n_groups` more groups, or all that remain. Returns the number of units still without a group.
    index_t step(index_t n_groups);

    const std::vector<index_t>& labels() const { return labels_; }  // (n,), -1 while without a group

private:
    void take_group_around(index_t unit);
    index_t farthest_after_group_around(index_t unit);
    void nearest_become_a_group();
    void rest_becomes_a_group();
    void rest_joins(index_t group);
    void choose_search();
    std::vector<index_t> living_records() const;
    std::vector<double> centroid() const;

    Matrix X_;
    const index_t* members_;
    index_t k_;
    Search search_;
    index_t n_alive_;              // units without a group
    index_t n_members_ = 0;        // of them all
    index_t n_groups_ = 0;
    std::vector<index_t> labels_;
    std::vector<ExactSum> sums_;   // (d,) of the members of the living
    Outskirts outskirts_;
    Nearest nearest_;
    std::unique_ptr<Living> living_;
    bool probing_ = false;         // the tree still has to show that it is worth its while
    index_t n_when_chosen_ = 0;    // living records when the search was chosen
    index_t n_looks_ = 0;          // since then
    index_t lowest_ = 0;           // no living record is lower
};

}  // namespace shoal
