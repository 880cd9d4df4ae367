// The records that have no group yet, scanned or in a k-d tree, whichever visits fewer of them.
//
// A tree is tried first, replaced by a scan where it visits most records, and rebuilt when half of its records have been
// removed, or three quarters in few columns. Both return the same records. Of equal records either holds the lowest: tables of a
// few points cost no more than their points.
#pragma once

#include <memory>
#include <vector>

#include "common/active_index.hpp"

namespace shoal {

enum class NeighborSearch { automatic, scan, tree };

class ActiveSet {
public:
    // All records of X are active at first. X must outlive the object.
    ActiveSet(Points X, NeighborSearch search);

    // By an index of the caller's choice, which has all records of X.
    ActiveSet(Points X, std::unique_ptr<ActiveIndex> index);

    index_t n_active() const { return n_active_; }
    index_t n_points() const { return n_points_; }  // different ones, of the active records
    bool is_active(index_t record) const { return is_active_[record]; }
    index_t lowest();  // active record
    // The lowest active record that is equal to this one, itself among them; -1 where there is none.
    index_t lowest_like(index_t record) const {
        return is_lowest_like(record) ? record : duplicates_.instead_of(record);
    }
    bool is_lowest_like(index_t record) const { return is_active_[record] && duplicates_.before(record) < 0; }

    void nearest_to(index_t record, Nearest& nearest);
    Candidate nearest_and_farthest(index_t record, Nearest& nearest);
    std::optional<Candidate> farthest_from(const double* point);
    void remove(index_t record);

private:
    void choose();
    void rebuild();
    std::vector<index_t> records_to_index() const;

    Points X_;
    NeighborSearch search_;
    index_t n_active_;
    std::vector<char> is_active_;
    Duplicates duplicates_;
    index_t n_points_ = 0;
    std::unique_ptr<ActiveIndex> index_;
    bool probing_ = false;  // the cost of the tree is still being measured
    index_t n_when_chosen_ = 0;
    index_t n_looks_ = 0;  // searches since then
    index_t lowest_ = 0;
};

}  // namespace shoal
