// MDAV by brute force: O(n^2 d / k) time, O(n d) memory, the same groups on every machine.
#pragma once

#include <utility>
#include <vector>

#include "exact_sum.hpp"
#include "matrix.hpp"

namespace shoal {

class Mdav {
public:
    Mdav(Matrix X, index_t k);

    // Form at least `n_groups` more groups, or all that remain. Returns the number of records still without a group.
    index_t step(index_t n_groups);

    const std::vector<index_t>& labels() const { return labels_; }  // (n,), -1 while without a group
    index_t n_alive() const { return n_alive_; }

private:
    using Candidate = std::pair<double, index_t>;  // (squared distance, record): nearer first, then lower

    template <bool Nearest, bool Farthest>
    void look_from(const double* point);
    void consider_nearest(Candidate candidate);
    void consider_farthest(Candidate candidate);
    void nearest_become_a_group();
    void rest_becomes_a_group();
    void remove(index_t record);
    std::vector<double> centroid() const;
    std::vector<double> point_of(index_t record) const;

    index_t n_, d_, k_;
    index_t n_alive_;
    index_t n_groups_ = 0;
    std::vector<double> columns_;     // (d, n) living records first, so that the loop over records is contiguous
    std::vector<index_t> record_at_;  // (n,) record at a position
    std::vector<index_t> position_;   // (n,) position of a record
    std::vector<ExactSum> sums_;      // (d,) of the living records
    std::vector<Candidate> nearest_;  // of the last look: up to k, a heap with the worst on top
    Candidate farthest_;              // of the last look
    std::vector<index_t> labels_;
};

}  // namespace shoal
