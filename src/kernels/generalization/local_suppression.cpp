#include "generalization/local_suppression.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace shoal {

LocalSuppression::LocalSuppression(Combinations combinations, std::vector<Columns> patterns, index_t k)
    : all_(combinations), patterns_(std::move(patterns)), k_(k) {
    for (const Columns blanked : patterns_) {
        kept_.push_back(all_.kept(blanked));
        costs_.push_back(all_.cost(blanked));
    }
    std::vector<index_t> class_of(all_.n);
    for (index_t i = 0; i < all_.n; ++i) {
        class_of[i] = classes_.number(all_.keys[i]);
        sizes_.resize(classes_.size(), 0);
        sizes_[class_of[i]] += all_.counts[i];
    }
    for (index_t i = 0; i < all_.n; ++i) {
        if (sizes_[class_of[i]] >= k_)
            place(i, 0, all_.counts[i], class_of[i]);
        else
            unassigned_.push_back(i);
    }
    for (const index_t i : unassigned_) sizes_[class_of[i]] = 0;
    make_offers();
}

// Borrowing is offered while it costs no more for each unassigned record than all its cells.
void LocalSuppression::make_offers() {
    const double most = costs_.back();
    for (index_t p = 0; p < static_cast<index_t>(patterns_.size()); ++p)
        for (index_t least = k_; least > 0; least = least * 2 / 3) {
            const double price = costs_[p] * static_cast<double>(k_) / static_cast<double>(least);
            if (price <= most) offers_.push_back({price, p, least});
        }
    std::stable_sort(offers_.begin(), offers_.end(), [](const Offer& a, const Offer& b) { return a.price < b.price; });
}

index_t LocalSuppression::step(index_t n) {
    for (; n > 0 && next_ < offers_.size() && !unassigned_.empty(); --n) take(offers_[next_++]);
    if (unassigned_.empty()) return 0;
    if (next_ == offers_.size()) join_classes();
    return static_cast<index_t>(offers_.size() - next_);
}

// Fewer than k records are left. Each combination joins with the class with which it costs least to be made alike: with
// as many of its records as it takes to be k, if the others are k as well, or else with all. The first class on ties.
// There is a class: k records without any would have been one.
void LocalSuppression::join_classes() {
    for (const index_t i : unassigned_) {
        double least = std::numeric_limits<double>::infinity();
        index_t nearest = -1;
        for (index_t c = 0; c < classes_.size(); ++c) {
            const double cost = sizes_[c] > 0 ? cost_of_joining(i, c) : least;
            if (cost >= least) continue;
            least = cost;
            nearest = c;
        }
        join(i, nearest);
    }
    unassigned_.clear();
}

index_t LocalSuppression::n_joined(index_t combination, index_t class_id) const {
    const index_t lacking = k_ - all_.counts[combination];
    return sizes_[class_id] - lacking >= k_ ? lacking : sizes_[class_id];
}

double LocalSuppression::cost_of_joining(index_t combination, index_t class_id) const {
    double total = 0.0;
    for (index_t j = 0; j < all_.q; ++j) {
        const PackedKey mine = all_.keys[combination] & all_.fields[j],
                        theirs = classes_.key(class_id) & all_.fields[j];
        if (mine == theirs) continue;
        if (!mine.empty()) total += all_.weights[j] * static_cast<double>(all_.counts[combination]);
        if (!theirs.empty()) total += all_.weights[j] * static_cast<double>(n_joined(combination, class_id));
    }
    return total;
}

void LocalSuppression::join(index_t combination, index_t class_id) {
    const PackedKey& key = all_.keys[combination];
    Columns differ = 0;
    for (index_t j = 0; j < all_.q; ++j)
        if (!((key & all_.fields[j]) == (classes_.key(class_id) & all_.fields[j]))) differ |= Columns{1} << j;
    const index_t joined = classes_.number(key & all_.kept(differ));
    sizes_.resize(classes_.size(), 0);
    index_t left = joined == class_id ? 0 : n_joined(combination, class_id);
    for (std::size_t p = 0, n_parts = parts_.size(); p < n_parts && left > 0; ++p) {
        if (parts_[p].class_id != class_id) continue;
        const index_t n = std::min(left, parts_[p].n);
        move(static_cast<index_t>(p), {0.0, joined, parts_[p].blanked | differ}, n);
        left -= n;
    }
    sizes_[joined] += all_.counts[combination];
    place(combination, differ, all_.counts[combination], joined);
}

void LocalSuppression::take(const Offer& offer) {
    const PackedKey& kept = kept_[offer.pattern];
    groups_.clear();
    found_.clear();
    for (const index_t i : unassigned_) {
        const index_t group = groups_.number(all_.keys[i] & kept);
        found_.resize(groups_.size(), 0);
        found_[group] += all_.counts[i];
    }
    lacking_.assign(groups_.size(), 0);
    may_borrow_.assign(groups_.size(), 0);
    bool any_may_borrow = false;
    for (index_t g = 0; g < groups_.size(); ++g) {
        const index_t class_id = classes_.find(groups_.key(g));
        const index_t there = class_id < 0 ? 0 : sizes_[class_id];
        lacking_[g] = std::max<index_t>(0, k_ - found_[g] - there);
        may_borrow_[g] = lacking_[g] > 0 && found_[g] >= offer.least;
        any_may_borrow |= may_borrow_[g] != 0;
    }
    if (any_may_borrow && offer.least < k_) borrow(kept, patterns_[offer.pattern]);
    assign_groups(kept, patterns_[offer.pattern]);
}

// The records that were assigned last are lent first: more of their cells are blank already. A group gets all that it
// lacks or nothing.
void LocalSuppression::borrow(const PackedKey& kept, Columns blanked) {
    const auto spare = [&](index_t part) { return std::min(sizes_[parts_[part].class_id] - k_, parts_[part].n); };
    std::erase_if(donors_, [&](index_t part) { return spare(part) <= 0; });
    std::vector<index_t> offered(groups_.size(), 0);
    std::vector<std::pair<index_t, index_t>> able;  // (part, group)
    for (std::size_t l = donors_.size(); l-- > 0;) {
        const index_t group = groups_.find(all_.keys[parts_[donors_[l]].combination] & kept);
        if (group < 0 || !may_borrow_[group]) continue;
        offered[group] += spare(donors_[l]);
        able.push_back({donors_[l], group});
    }
    std::vector<Transfer> transfers;
    std::vector<index_t> needed = lacking_;
    for (const auto& [part, group] : able) {
        const index_t n = std::min(needed[group], spare(part));
        if (n <= 0 || offered[group] < lacking_[group]) continue;
        transfers.push_back({part, group, n});
        sizes_[parts_[part].class_id] -= n;
        parts_[part].n -= n;
        needed[group] -= n;
    }
    for (const Transfer& transfer : transfers) {
        if (needed[transfer.group] > 0) {
            sizes_[parts_[transfer.part].class_id] += transfer.n;
            parts_[transfer.part].n += transfer.n;
            continue;
        }
        const index_t class_id = classes_.number(groups_.key(transfer.group));
        sizes_.resize(classes_.size(), 0);
        sizes_[class_id] += transfer.n;
        parts_.push_back({parts_[transfer.part].combination, blanked, transfer.n, class_id});
        lacking_[transfer.group] = 0;
    }
}

// Assigns the records of groups that lack nothing.
void LocalSuppression::assign_groups(const PackedKey& kept, Columns blanked) {
    std::size_t n_left = 0;
    for (const index_t i : unassigned_) {
        const index_t group = groups_.find(all_.keys[i] & kept);
        if (lacking_[group] > 0) {
            unassigned_[n_left++] = i;
            continue;
        }
        const index_t class_id = classes_.number(groups_.key(group));
        sizes_.resize(classes_.size(), 0);
        sizes_[class_id] += all_.counts[i];
        place(i, blanked, all_.counts[i], class_id);
    }
    unassigned_.resize(n_left);
}

void LocalSuppression::place(index_t combination, Columns blanked, index_t n, index_t class_id) {
    donors_.push_back(static_cast<index_t>(parts_.size()));
    parts_.push_back({combination, blanked, n, class_id});
}

bool LocalSuppression::improve() {
    drop_empty_parts();
    std::vector<std::vector<index_t>> members(classes_.size());
    for (std::size_t p = 0; p < parts_.size(); ++p) members[parts_[p].class_id].push_back(static_cast<index_t>(p));
    bool changed = false;
    for (std::size_t c = members.size(); c-- > 0;)
        if (!members[c].empty()) changed |= dissolve(members[c]) || leave(members[c]);
    drop_empty_parts();
    return changed;
}

// The class with the fewest blanks that a part could be in, its own left out; cheaper than ``below``.
LocalSuppression::Move LocalSuppression::cheapest_class(const Part& part, double below) const {
    const PackedKey& key = all_.keys[part.combination];
    const auto open = [&](index_t class_id) {
        return class_id >= 0 && class_id != part.class_id && sizes_[class_id] > 0;
    };
    if (const index_t class_id = classes_.find(key); below > 0.0 && open(class_id)) return {0.0, class_id, 0};
    const bool complete = all_.missing(part.combination) == 0;
    for (std::size_t p = 0; p < patterns_.size() && !(complete && costs_[p] >= below); ++p) {
        const double cost = complete ? costs_[p] : all_.cost(patterns_[p], part.combination);
        if (cost >= below) continue;
        if (const index_t class_id = classes_.find(key & kept_[p]); open(class_id))
            return {cost, class_id, patterns_[p]};
    }
    return {std::numeric_limits<double>::infinity(), -1, 0};
}

// Moves all members to other classes where that blanks fewer cells.
bool LocalSuppression::dissolve(const std::vector<index_t>& members) {
    double left = 0.0;
    index_t n_members = 0;
    for (const index_t m : members) {
        left += all_.cost(parts_[m].blanked, parts_[m].combination) * static_cast<double>(parts_[m].n);
        n_members += parts_[m].n;
    }
    if (left <= 0.0 || n_members < sizes_[parts_[members[0]].class_id])
        return false;  // nothing to gain, or others came
    std::vector<Move> moves;
    for (const index_t m : members) {
        const Move to = cheapest_class(parts_[m], left / static_cast<double>(parts_[m].n));
        if (to.class_id < 0) return false;
        left -= to.cost * static_cast<double>(parts_[m].n);
        moves.push_back(to);
    }
    for (std::size_t m = 0; m < members.size(); ++m) move(members[m], moves[m], parts_[members[m]].n);
    return true;
}

// Moves records that the class does not need to classes where they have fewer blanks.
bool LocalSuppression::leave(const std::vector<index_t>& members) {
    bool changed = false;
    for (const index_t m : members) {
        const index_t n = std::min(parts_[m].n, sizes_[parts_[m].class_id] - k_);
        if (n <= 0) continue;
        const Move to = cheapest_class(parts_[m], all_.cost(parts_[m].blanked, parts_[m].combination));
        if (to.class_id < 0) continue;
        move(m, to, n);
        changed = true;
    }
    return changed;
}

void LocalSuppression::move(index_t part, const Move& to, index_t n) {
    sizes_[parts_[part].class_id] -= n;
    sizes_[to.class_id] += n;
    const index_t combination = parts_[part].combination;
    parts_[part].n -= n;
    parts_.push_back({combination, to.blanked, n, to.class_id});
}

void LocalSuppression::drop_empty_parts() {
    std::erase_if(parts_, [](const Part& part) { return part.n == 0; });
}

}  // namespace shoal
