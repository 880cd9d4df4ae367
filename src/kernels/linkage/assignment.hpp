// One-to-one links: every person to at most one record, and no record to more persons than it has copies, so that the
// sum of costs is least over the pairs that were added. A person without a link has a cost of their own.
//
// A flow of least cost. Pairs may be added at any time; a pair that would lower the sum is taken, and a shortest path in
// the residual network, from the record that has one person too many to the record that the person leaves, restores the
// balance, unless it costs more than the pair gains. Potentials prove the optimum: prices of records are
// 0 or less, 0 where a copy is free, and no person has a pair of lower cost minus price than their own.
// Ties: of equally short paths, the one by the lowest nodes.
#pragma once

#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "common/matrix.hpp"
#include "linkage/auction.hpp"

namespace shoal {

class Assignment {
public:
    // `copies`: (n_records,) how many persons a record may have; `unlinked`: cost of a person without a link.
    Assignment(index_t n_persons, std::vector<index_t> copies, double unlinked);

    // A pair that is there already is left out.
    void add(index_t person, index_t record, double cost);

    // Links by an auction over the pairs that were added, from which `settle` has little left to do. Returns by how
    // much a link may cost more than the best one of its person. `pause` is called now and then; if it throws, the
    // links stay as they were.
    double start(const std::function<void()>& pause);

    // Restores the optimum for the pairs of the persons first .. last - 1.
    void settle(index_t first, index_t last);

    const std::vector<index_t>& records() const { return record_; }  // (n_persons,) -1: no link
    std::vector<double> prices() const;                              // (n_records,)

private:
    using Pair = AssignmentPair;
    using Entry = std::pair<double, index_t>;  // distance, node

    // Nodes: persons, then records, then the pool of free copies and of persons without a link.
    index_t node_of(index_t record) const { return record < 0 ? pool_ : n_persons_ + record; }
    bool has_free_copy(index_t record) const { return static_cast<index_t>(persons_[record].size()) < copies_[record]; }

    const Pair* best_pair(index_t person);
    void take(index_t person, const Pair& pair);
    void relax(index_t from, index_t to, double length);
    void visit(index_t node);
    void leave_record(index_t record);
    void leave_person(index_t person);
    void leave_pool();
    void link(index_t person, index_t record, double cost);
    void shift_along(index_t person, const Pair& pair);
    double cost_of(index_t person, index_t record) const;

    index_t n_persons_, n_records_, pool_;
    std::vector<index_t> copies_;  // (n_records,)
    double unlinked_, slack_;
    std::vector<std::vector<Pair>> pairs_;       // of every person
    std::vector<std::vector<index_t>> persons_;  // linked to every record
    std::vector<index_t> record_;                // (n_persons,)
    std::vector<double> cost_;                   // (n_persons,) of their link
    std::vector<double> potential_;              // (n_nodes,)
    std::vector<double> distance_;               // (n_nodes,) infinite where not reached
    std::vector<index_t> from_;                  // (n_nodes,) the node before, on the shortest path
    std::vector<index_t> reached_;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> open_;
    index_t goal_ = -1;   // the node that the search ends at
    double limit_ = 0.0;  // the length from which a path is of no use
};

}  // namespace shoal
