// The active records in columns, all of them visited: the fastest search where a tree cannot prune.
#pragma once

#include <vector>

#include "common/active_index.hpp"

namespace shoal {

class Scan final : public PointIndex {
public:
    Scan(Points X, const std::vector<index_t>& records, const Duplicates& duplicates);

    void nearest_to(index_t record, Nearest& nearest) override;
    Candidate nearest_and_farthest(index_t record, Nearest& nearest) override;
    void remove(index_t record) override;
    void replace(index_t record, index_t equal) override;
    double work() const override { return work_; }

private:
    template <bool Farthest>
    Candidate look_from(const double* point, Nearest& nearest);

    Points X_;
    index_t n_active_;
    index_t stride_;
    std::vector<double> columns_;     // (d, stride) active records first
    std::vector<index_t> record_at_;  // (stride,) record at a position
    std::vector<index_t> position_;   // (n,) position of a record
    double work_ = 0;
};

}  // namespace shoal
