#include "linkage/assignment.hpp"

#include <algorithm>

namespace shoal {

namespace {

constexpr double kRounding = 1e-13;  // of the cost of a person without a link: smaller gains are rounding

}  // namespace

Assignment::Assignment(index_t n_persons, std::vector<index_t> copies, double unlinked)
    : n_persons_(n_persons), n_records_(static_cast<index_t>(copies.size())), pool_(n_persons_ + n_records_),
      copies_(std::move(copies)), unlinked_(unlinked), slack_(kRounding * unlinked), pairs_(n_persons_),
      persons_(n_records_), record_(n_persons_, -1), cost_(n_persons_, unlinked), potential_(pool_ + 1, unlinked),
      distance_(pool_ + 1, kInfinity), from_(pool_ + 1, -1) {
    std::fill_n(potential_.begin(), n_persons_, 0.0);
}

void Assignment::add(index_t person, index_t record, double cost) {
    std::vector<Pair>& pairs = pairs_[person];
    if (std::none_of(pairs.begin(), pairs.end(), [&](const Pair& pair) { return pair.record == record; }))
        pairs.push_back({record, cost});
}

double Assignment::start(const std::function<void()>& pause) {
    Auction auction(pairs_, copies_, unlinked_);
    const double epsilon = auction.run(pause);
    for (index_t person = 0; person < n_persons_; ++person) {
        const Pair* pair = auction.links()[person];
        const bool is_of_use =
            pair != nullptr && pair->record < n_records_ && pair->cost - auction.price(pair->record) <= unlinked_;
        link(person, is_of_use ? pair->record : -1, is_of_use ? pair->cost : unlinked_);
    }
    for (index_t r = 0; r < n_records_; ++r)
        potential_[n_persons_ + r] = potential_[pool_] + (has_free_copy(r) ? 0.0 : auction.price(r));
    for (index_t person = 0; person < n_persons_; ++person)
        potential_[person] = potential_[node_of(record_[person])] - cost_[person];
    return epsilon;
}

void Assignment::settle(index_t first, index_t last) {
    for (index_t person = first; person < last; ++person)
        while (const Pair* pair = best_pair(person)) take(person, *pair);
}

std::vector<double> Assignment::prices() const {
    std::vector<double> prices(n_records_);
    for (index_t r = 0; r < n_records_; ++r)
        prices[r] = has_free_copy(r) ? 0.0 : std::min(0.0, potential_[n_persons_ + r] - potential_[pool_]);
    return prices;
}

// The pair of the person that would lower the sum most; null where none does. The only way into a person is their link,
// so that their potential may be raised until it has no cost.
const Assignment::Pair* Assignment::best_pair(index_t person) {
    potential_[person] = potential_[node_of(record_[person])] - cost_[person];
    const Pair* best = nullptr;
    double least = -slack_ - potential_[person];
    for (const Pair& pair : pairs_[person]) {
        const double reduced = pair.cost - potential_[node_of(pair.record)];
        if (pair.record != record_[person] && reduced < least) {
            least = reduced;
            best = &pair;
        }
    }
    return best;
}

// Links the person to the record of the pair as well, and restores the balance along a shortest path from it to the
// record that they leave. Where no path is shorter than what the pair would gain, the price of its record falls instead.
void Assignment::take(index_t person, const Pair& pair) {
    const index_t start = node_of(pair.record);
    goal_ = node_of(record_[person]);
    limit_ = potential_[start] - potential_[person] - pair.cost;
    distance_[start] = 0.0;
    reached_.assign(1, start);
    open_ = {};
    open_.emplace(0.0, start);
    while (!open_.empty() && open_.top().second != goal_) {
        const auto [distance, node] = open_.top();
        open_.pop();
        if (distance == distance_[node]) visit(node);
    }
    const double length = std::min(limit_, distance_[goal_]);
    if (!open_.empty()) shift_along(person, pair);
    for (const index_t node : reached_) {
        if (distance_[node] < length) potential_[node] += distance_[node] - length;
        distance_[node] = kInfinity;
    }
}

// Nodes that are not nearer than the goal need no visit.
void Assignment::relax(index_t from, index_t to, double length) {
    const double distance = distance_[from] + std::max(0.0, length + potential_[from] - potential_[to]);
    if (distance >= distance_[to] || distance >= distance_[goal_] || distance >= limit_) return;
    if (distance_[to] == kInfinity) reached_.push_back(to);
    distance_[to] = distance;
    from_[to] = from;
    open_.emplace(distance, to);
}

void Assignment::visit(index_t node) {
    if (node == pool_) {
        leave_pool();
    } else if (node >= n_persons_) {
        leave_record(node - n_persons_);
    } else {
        leave_person(node);
    }
}

void Assignment::leave_record(index_t record) {
    const index_t node = node_of(record);
    for (const index_t person : persons_[record]) relax(node, person, -cost_[person]);
    if (has_free_copy(record)) relax(node, pool_, 0.0);
}

void Assignment::leave_person(index_t person) {
    for (const Pair& pair : pairs_[person])
        if (pair.record != record_[person]) relax(person, node_of(pair.record), pair.cost);
    if (record_[person] >= 0) relax(person, pool_, unlinked_);
}

void Assignment::leave_pool() {
    for (index_t r = 0; r < n_records_; ++r)
        if (!persons_[r].empty()) relax(pool_, node_of(r), 0.0);
    for (index_t p = 0; p < n_persons_; ++p)
        if (record_[p] < 0) relax(pool_, p, -unlinked_);
}

// The persons on the path to the goal move on to the node after them, and the person takes the place at its start.
void Assignment::shift_along(index_t person, const Pair& pair) {
    const index_t start = node_of(pair.record);
    for (index_t next = goal_, node = from_[next]; next != start; next = node, node = from_[node])
        if (node < n_persons_) {
            const index_t record = next == pool_ ? -1 : next - n_persons_;
            link(node, record, record < 0 ? unlinked_ : cost_of(node, record));
        }
    link(person, pair.record, pair.cost);
}

void Assignment::link(index_t person, index_t record, double cost) {
    if (record_[person] >= 0) std::erase(persons_[record_[person]], person);
    if (record >= 0) persons_[record].push_back(person);
    record_[person] = record;
    cost_[person] = cost;
}

double Assignment::cost_of(index_t person, index_t record) const {
    const std::vector<Pair>& pairs = pairs_[person];
    return std::find_if(pairs.begin(), pairs.end(), [&](const Pair& pair) { return pair.record == record; })->cost;
}

}  // namespace shoal
