// Local search over partitions into groups of k to 2k - 1 records, by annealing: relocate, swap, split, dissolve.
#pragma once

#include <cstdint>
#include <vector>

#include "common/chance.hpp"
#include "common/matrix.hpp"

namespace shoal {

class Annealing {
public:
    // Every group of `labels` has k to 2k - 1 records. `neighbors` is (n, n_neighbors), the nearest first.
    Annealing(Matrix X, const index_t* labels, index_t k, const std::int32_t* neighbors, index_t n_neighbors,
              std::uint64_t seed);

    // Plan n_proposals more, while the temperature falls geometrically from `hot` to `cold`. At 0 only gains pass.
    void plan(index_t n_proposals, double hot, double cold);

    // Make at most n_proposals of those planned. Returns how many are left. Cutting a plan into steps changes nothing.
    index_t step(index_t n_proposals);

    double sse() const { return sse_; }
    std::vector<index_t> labels() const;  // (n,) groups numbered in the order of their first records

private:
    template <index_t Width>
    void run(index_t n_proposals);
    template <index_t Width>
    void propose();
    template <index_t Width>
    bool relocate(index_t record, index_t from, index_t to, double allowed);
    template <index_t Width>
    bool split(index_t record, index_t from, index_t to, double allowed);
    template <index_t Width>
    bool swap(index_t record, index_t from, index_t to, double allowed);
    template <index_t Width>
    bool dissolve(index_t group, double allowed);

    template <index_t Width>
    double distance_to_centroid(index_t record, index_t group) const;
    template <index_t Width>
    double distance(index_t a, index_t b) const;
    template <index_t Width>
    double sse_of(const std::int32_t* members, index_t size) const;

    const double* row(index_t record) const { return points_.data() + record * width_; }
    double* sum(index_t group) { return sums_.data() + group * width_; }
    const double* sum(index_t group) const { return sums_.data() + group * width_; }
    std::int32_t* members(index_t group) { return members_.data() + group * 2 * k_; }
    const std::int32_t* members(index_t group) const { return members_.data() + group * 2 * k_; }
    void take_out(index_t record);
    void put_in(index_t record, index_t group);
    void recompute_sums();

    index_t n_, k_, n_neighbors_;
    index_t width_;                        // columns, rounded up to even: the last may be zeros
    std::vector<double> points_;           // (n, width)
    std::vector<std::int32_t> neighbors_;  // (n, n_neighbors)
    std::vector<std::int32_t> label_;      // (n,)
    std::vector<std::int32_t> slot_;       // (n,) place of a record in its group
    std::vector<std::int32_t> members_;    // (n / k, 2k)
    std::vector<std::int32_t> size_;       // (n / k,) 0 for a group that does not exist now
    std::vector<double> sums_;             // (n / k, width)
    std::vector<std::int32_t> unused_;     // groups that do not exist now
    std::vector<double> inverse_;          // (2k + 1,) 1 / size
    mutable std::vector<double> mean_;     // (width,)
    std::vector<std::int32_t> gathered_;   // (2k,) members of a group that is split or dissolved
    std::vector<double> preference_;       // (2k,) of the gathered, for the one side of a split

    Chance chance_;
    index_t n_planned_ = 0, n_done_ = 0;
    double temperature_ = 0.0, cooling_ = 1.0;
    double sse_ = 0.0;
};

}  // namespace shoal
