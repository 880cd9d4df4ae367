// The records without a group in lists of nearest records that several runs share.
#pragma once

#include <vector>

#include "microaggregation/nearest_lists.hpp"
#include "microaggregation/records_left.hpp"

namespace shoal {

// A list that ends too early is made longer, for all that share it; once few records are left, they are scanned
// instead.
class ListedRecords : public RecordsLeft {
public:
    // All records are left at first. `lists` must outlive the object.
    ListedRecords(NearestLists& lists, index_t k);

    index_t n_left() const override { return n_left_; }
    const std::vector<Candidate>& nearest_to(index_t record) override;
    Candidate nearest_to_group(const std::vector<index_t>& group) override;
    double to_nearest_other(Candidate found, double gain) override;
    void remove(index_t record) override;

private:
    bool is_to_scan(index_t record) const;
    bool find_nearest(index_t record);
    bool find_nearer(index_t record, Candidate& nearest);
    const std::vector<Candidate>& scan(index_t record);

    NearestLists& lists_;
    std::size_t k_;
    index_t n_left_;
    std::vector<char> is_left_;          // (n,)
    std::vector<std::size_t> n_passed_;  // (n,) by point, records at the start of its list that are not left
    std::vector<Candidate> found_;       // by the last search
    std::vector<index_t> scanned_;       // records left, and others that have been taken since the last scan
};

}  // namespace shoal
