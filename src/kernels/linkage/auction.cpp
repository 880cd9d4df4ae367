#include "linkage/auction.hpp"

#include <algorithm>

namespace shoal {

namespace {

constexpr double kFirstEpsilon = 1.0;  // of the mean cost of the nearest record
constexpr double kLastEpsilon = 1e-3;  // of the first epsilon
constexpr double kLeastCost = 1e-6;    // of the cost of a person without a link, where the nearest records are equal
constexpr double kScale = 0.2;      // epsilon of a step, relative to that of the step before
constexpr index_t kMostBids = 200;  // of a step, per person

}  // namespace

Auction::Auction(const std::vector<std::vector<AssignmentPair>>& pairs, const std::vector<index_t>& copies,
                 double unlinked)
    : pairs_(pairs), unlinked_(unlinked), link_(pairs.size(), nullptr) {
    offers_.reserve(copies.size());
    for (const index_t n_copies : copies) offers_.emplace_back(n_copies, Offer{0.0, -1});
}

double Auction::run() {
    double epsilon = kFirstEpsilon * std::max(mean_least_cost(), kLeastCost * unlinked_);
    const double last = kLastEpsilon * epsilon;
    run_step(epsilon);
    while (epsilon > last) run_step(epsilon *= kScale);
    return epsilon;
}

void Auction::run_step(double epsilon) {
    release_copies();
    index_t n_left = kMostBids * static_cast<index_t>(pairs_.size());
    while (!waiting_.empty() && n_left-- > 0) {
        const index_t person = waiting_.front();
        waiting_.pop_front();
        const Bid bid = best_bid(pairs_[person], epsilon);
        link_[person] = bid.pair;
        if (bid.pair == nullptr) continue;
        const index_t displaced = replace_offer(bid.pair->record, {bid.price, person});
        if (displaced < 0) continue;
        link_[displaced] = nullptr;
        waiting_.push_back(displaced);
    }
}

// Everybody bids again. Prices stay, except of copies that nobody took.
void Auction::release_copies() {
    for (std::vector<Offer>& offers : offers_) {
        for (Offer& offer : offers) offer = {offer.second < 0 ? 0.0 : offer.first, -1};
        std::make_heap(offers.begin(), offers.end());
    }
    waiting_.clear();
    for (index_t person = 0; person < static_cast<index_t>(pairs_.size()); ++person) waiting_.push_back(person);
    std::fill(link_.begin(), link_.end(), nullptr);
}

// The pair of least cost minus price, at a price that leaves it worse by epsilon than the second best choice.
Auction::Bid Auction::best_bid(const std::vector<AssignmentPair>& pairs, double epsilon) const {
    const AssignmentPair* best = nullptr;
    double least = unlinked_, second = unlinked_;
    for (const AssignmentPair& pair : pairs) {
        const double reduced = pair.cost - price(pair.record);
        if (reduced < least) {
            second = least;
            least = reduced;
            best = &pair;
        } else if (reduced < second) {
            second = reduced;
        }
    }
    if (best == nullptr) return {nullptr, 0.0};
    second = std::min(second, best->cost - second_price(best->record));
    return {best, price(best->record) - (second - least) - epsilon};
}

// The price of the next copy of a record; far below any price where there is only one.
double Auction::second_price(index_t record) const {
    const std::vector<Offer>& offers = offers_[record];
    if (offers.size() < 2) return -2.0 * unlinked_;
    return offers.size() < 3 ? offers[1].first : std::max(offers[1].first, offers[2].first);
}

// Gives the copy of the highest price away; returns the person who had it, or -1.
index_t Auction::replace_offer(index_t record, Offer offer) {
    std::vector<Offer>& offers = offers_[record];
    std::pop_heap(offers.begin(), offers.end());
    const index_t displaced = offers.back().second;
    offers.back() = offer;
    std::push_heap(offers.begin(), offers.end());
    return displaced;
}

double Auction::mean_least_cost() const {
    double sum = 0.0;
    for (const std::vector<AssignmentPair>& pairs : pairs_) {
        double least = unlinked_;
        for (const AssignmentPair& pair : pairs) least = std::min(least, pair.cost);
        sum += least;
    }
    return pairs_.empty() ? 0.0 : sum / static_cast<double>(pairs_.size());
}

}  // namespace shoal
