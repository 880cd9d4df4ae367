#include "linkage/auction.hpp"

#include <algorithm>
#include <numeric>

namespace shoal {

namespace {

constexpr double kFirstEpsilon = 1.0;  // of the mean cost of the nearest record
constexpr double kLastEpsilon = 1e-3;  // of the first epsilon
constexpr double kLeastCost = 1e-6;    // of the cost of a person without a link, where the nearest records are equal
constexpr double kScale = 0.2;         // epsilon of a step, relative to that of the step before
constexpr double kGivingUp = 2.0;      // cost from which a person bids no more, of that of a person without a link
constexpr index_t kMostBids = 200;     // of a step, per person
constexpr index_t kPause = 100000;     // bids until the next pause

}  // namespace

Auction::Auction(const std::vector<std::vector<AssignmentPair>>& pairs, const std::vector<index_t>& copies,
                 double unlinked)
    : pairs_(pairs), unlinked_(unlinked), no_record_{-1, unlinked}, link_(pairs.size(), nullptr) {
    offers_.reserve(copies.size() + 1);
    for (const index_t n_copies : copies) offers_.emplace_back(n_copies, Offer{0.0, -1});
    const index_t n_copies = std::accumulate(copies.begin(), copies.end(), index_t{0});
    const index_t n_places = static_cast<index_t>(pairs.size()) - n_copies;
    if (n_places <= 0) return;
    no_record_.record = static_cast<index_t>(copies.size());
    offers_.emplace_back(n_places, Offer{0.0, -1});
}

// Raised by epsilon: nobody who has a record would rather have none.
double Auction::price(index_t record) const {
    if (no_record_.record < 0) return current_price(record);
    return std::min(0.0, current_price(record) - current_price(no_record_.record) + epsilon_);
}

double Auction::run(const std::function<void()>& pause) {
    epsilon_ = kFirstEpsilon * std::max(mean_least_cost(), kLeastCost * unlinked_);
    const double last = kLastEpsilon * epsilon_;
    run_step(pause);
    for (; epsilon_ > last; run_step(pause)) epsilon_ *= kScale;
    return epsilon_;
}

void Auction::run_step(const std::function<void()>& pause) {
    release_copies();
    index_t n_left = kMostBids * static_cast<index_t>(pairs_.size());
    while (!waiting_.empty() && n_left-- > 0) {
        if (n_left % kPause == 0) pause();
        const index_t person = waiting_.front();
        waiting_.pop_front();
        const Bid bid = best_bid(pairs_[person]);
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
Auction::Bid Auction::best_bid(const std::vector<AssignmentPair>& pairs) const {
    const AssignmentPair* best = nullptr;
    double least = kGivingUp * unlinked_, second = least;
    const auto consider = [&](const AssignmentPair& pair) {
        const double reduced = pair.cost - current_price(pair.record);
        if (reduced < least) {
            second = least;
            least = reduced;
            best = &pair;
        } else if (reduced < second) {
            second = reduced;
        }
    };
    for (const AssignmentPair& pair : pairs) consider(pair);
    if (no_record_.record >= 0) consider(no_record_);
    if (best == nullptr) return {nullptr, 0.0};
    second = std::min(second, best->cost - second_price(best->record));
    return {best, current_price(best->record) - (second - least) - epsilon_};
}

// The price of the next copy of a record; far below any price where there is only one.
double Auction::second_price(index_t record) const {
    const std::vector<Offer>& offers = offers_[record];
    if (offers.size() < 2) return -kGivingUp * unlinked_;
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
