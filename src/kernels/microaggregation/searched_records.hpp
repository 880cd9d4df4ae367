// The records without a group in a tree, or scanned.
#pragma once

#include "common/active_set.hpp"
#include "microaggregation/records_left.hpp"

namespace shoal {

class SearchedRecords : public RecordsLeft {
public:
    // X must outlive the object.
    SearchedRecords(Matrix X, index_t k, NeighborSearch search);

    index_t n_left() const override { return left_.n_active(); }
    const std::vector<Candidate>& nearest_to(index_t record) override;
    Candidate nearest_to_group(const std::vector<index_t>& group) override;
    double to_nearest_other(Candidate found, double gain) override;
    void remove(index_t record) override { left_.remove(record); }

private:
    CodedPoints coded_;
    ActiveSet left_;
    Nearest around_, next_two_, next_one_;
    std::vector<Candidate> reach_;  // nearest record left of the members so far; it is searched again once it was taken
};

}  // namespace shoal
