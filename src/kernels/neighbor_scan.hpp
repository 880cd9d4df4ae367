// Neighbors by looking at every record left.
#pragma once

#include <vector>

#include "neighbors.hpp"

namespace shoal {

class NeighborScan final : public Neighbors {
public:
    explicit NeighborScan(Matrix X);

    void remove(index_t record) override;
    index_t n_left() const override { return n_left_; }
    void nearest(const double* point, index_t count, std::vector<Candidate>& found) override;
    index_t n_looked() const override { return n_looked_; }

private:
    index_t n_, d_;
    index_t n_left_;
    index_t n_looked_ = 0;
    std::vector<double> columns_;     // (d, n) records left come first, so that the loop over records is contiguous
    std::vector<index_t> record_at_;  // (n,) record at a position
    std::vector<index_t> position_;   // (n,) position of a record
};

}  // namespace shoal
