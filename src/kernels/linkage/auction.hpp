// A first assignment and its prices, by an auction with scaling (Bertsekas 1988): persons without a record bid for the
// one that costs them least, and displace whoever has it, so that every link is within epsilon of the best one of its
// person. Epsilon falls from step to step, the prices are kept. Where there are more persons than copies of records, the
// rest bids for places without a record, so that everybody gets something and only differences of prices matter.
//
// The result is nearly optimal, not proven: `Assignment` mends what is left of it.
#pragma once

#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "common/matrix.hpp"

namespace shoal {

struct AssignmentPair {
    index_t record;
    double cost;
};

class Auction {
public:
    // `pairs`: of every person; `copies`: (n_records,) how many persons a record may have; `unlinked`: cost of a person
    // without a link.
    Auction(const std::vector<std::vector<AssignmentPair>>& pairs, const std::vector<index_t>& copies, double unlinked);

    // Returns the last epsilon. `pause` is called after some bids; if it throws, nothing has come of the auction.
    double run(const std::function<void()>& pause);

    const std::vector<const AssignmentPair*>& links() const { return link_; }  // (n_persons,) null: no link
    double price(index_t record) const;  // relative to that of no record: 0 or less

private:
    using Offer = std::pair<double, index_t>;  // price of a copy, the person who has it or -1
    struct Bid {
        const AssignmentPair* pair;  // null: no link costs less
        double price;
    };

    void run_step(const std::function<void()>& pause);
    void release_copies();
    Bid best_bid(const std::vector<AssignmentPair>& pairs) const;
    double current_price(index_t record) const { return offers_[record].front().first; }
    double second_price(index_t record) const;
    index_t replace_offer(index_t record, Offer offer);
    double mean_least_cost() const;

    const std::vector<std::vector<AssignmentPair>>& pairs_;
    double unlinked_;
    double epsilon_ = 0.0;
    AssignmentPair no_record_;                // the places without a record, as one more record; no place: -1
    std::vector<std::vector<Offer>> offers_;  // of every record, a heap of its copies, the highest price first
    std::vector<const AssignmentPair*> link_;
    std::deque<index_t> waiting_;  // persons without a link who may bid
};

}  // namespace shoal
