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
    std::vector<index_t> first_class(all_.n);
    for (index_t i = 0; i < all_.n; ++i) {
        first_class[i] = class_of(all_.keys[i]);
        add(first_class[i], i, all_.counts[i]);
    }
    for (index_t i = 0; i < all_.n; ++i) {
        if (sizes_.units(first_class[i]) >= k_)
            place(i, 0, all_.counts[i], first_class[i]);
        else
            unassigned_.push_back(i);
    }
    for (const index_t i : unassigned_) remove(first_class[i], i, all_.counts[i]);
    make_offers();
}

void LocalSuppression::add(index_t class_id, index_t combination, index_t n) {
    sizes_.add(class_id, all_.unit(combination), n);
}

void LocalSuppression::remove(index_t class_id, index_t combination, index_t n) {
    sizes_.remove(class_id, all_.unit(combination), n);
}

index_t LocalSuppression::class_of(const PackedKey& key) {
    const index_t class_id = classes_.number(key);
    sizes_.resize(classes_.size());
    return class_id;
}

index_t LocalSuppression::spare(const Part& part) const {
    return sizes_.spare(part.class_id, all_.unit(part.combination), part.n, k_);
}

// Whether the unit of a combination was not met in the group before. Records that are a unit each are always new.
bool LocalSuppression::is_new_in_group(index_t group, index_t combination) {
    const index_t unit = all_.unit(combination), n_met = group_units_.size();
    if (unit < 0) return true;
    return group_units_.number({static_cast<std::uint64_t>(group), static_cast<std::uint64_t>(unit)}) == n_met;
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

// Fewer than k units are left. Each combination joins with the class with which it costs least to be made alike: with
// as many of its units as it takes to be k, if the others are k as well, or else with all. The first class on ties.
// There is a class: k units without any would have been one.
void LocalSuppression::join_classes() {
    for (const index_t i : unassigned_) {
        double least = std::numeric_limits<double>::infinity();
        index_t nearest = -1;
        for (index_t c = 0; c < classes_.size(); ++c) {
            const double cost = sizes_.units(c) > 0 ? cost_of_joining(i, c) : least;
            if (cost >= least) continue;
            least = cost;
            nearest = c;
        }
        join(i, nearest);
    }
    unassigned_.clear();
}

bool LocalSuppression::joins_wholly(index_t combination, index_t class_id) const {
    return sizes_.units(class_id) - (k_ - all_.n_units(combination)) < k_;
}

// The records of the class that a combination joins with: one of every unit that it takes, or all.
index_t LocalSuppression::n_joined(index_t combination, index_t class_id) const {
    return joins_wholly(combination, class_id) ? sizes_.records(class_id) : k_ - all_.n_units(combination);
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
    const index_t joined = class_of(key & all_.kept(differ));
    const bool wholly = joins_wholly(combination, class_id);
    index_t left = joined == class_id ? 0 : n_joined(combination, class_id);
    group_units_.clear();
    is_new_in_group(0, combination);
    for (std::size_t p = 0, n_parts = parts_.size(); p < n_parts && left > 0; ++p) {
        if (parts_[p].class_id != class_id || parts_[p].n == 0) continue;
        const index_t one_unit = wholly || all_.unit(parts_[p].combination) < 0 ? parts_[p].n : 1;
        if (!wholly && !is_new_in_group(0, parts_[p].combination)) continue;
        const index_t n = std::min(left, one_unit);
        move(static_cast<index_t>(p), {0.0, joined, parts_[p].blanked | differ}, n);
        left -= n;
    }
    add(joined, combination, all_.counts[combination]);
    place(combination, differ, all_.counts[combination], joined);
}

void LocalSuppression::take(const Offer& offer) {
    const PackedKey& kept = kept_[offer.pattern];
    groups_.clear();
    group_units_.clear();
    found_.clear();
    for (const index_t i : unassigned_) {
        const index_t group = groups_.number(all_.keys[i] & kept);
        found_.resize(groups_.size(), 0);
        if (is_new_in_group(group, i)) found_[group] += all_.n_units(i);
    }
    lacking_.assign(groups_.size(), 0);
    may_borrow_.assign(groups_.size(), 0);
    bool any_may_borrow = false;
    for (index_t g = 0; g < groups_.size(); ++g) {
        const index_t class_id = classes_.find(groups_.key(g));
        const index_t there = class_id < 0 ? 0 : sizes_.units(class_id);
        lacking_[g] = std::max<index_t>(0, k_ - found_[g] - there);
        may_borrow_[g] = lacking_[g] > 0 && found_[g] >= offer.least;
        any_may_borrow |= may_borrow_[g] != 0;
    }
    if (any_may_borrow && offer.least < k_) borrow(kept, patterns_[offer.pattern]);
    assign_groups(kept, patterns_[offer.pattern]);
}

// The records that were assigned last are lent first: more of their cells are blank already. One record of a unit is
// enough. A group gets all that it lacks or nothing.
void LocalSuppression::borrow(const PackedKey& kept, Columns blanked) {
    std::erase_if(donors_, [&](index_t part) { return spare(parts_[part]) <= 0; });
    std::vector<index_t> offered(groups_.size(), 0);
    std::vector<Loan> loans;
    for (std::size_t l = donors_.size(); l-- > 0;) {
        const Part& part = parts_[donors_[l]];
        const index_t group = groups_.find(all_.keys[part.combination] & kept);
        if (group < 0 || !may_borrow_[group] || !is_new_in_group(group, part.combination)) continue;
        const index_t most = all_.unit(part.combination) < 0 ? spare(part) : 1;
        offered[group] += most;
        loans.push_back({donors_[l], group, most});
    }
    std::vector<Transfer> transfers;
    std::vector<index_t> needed = lacking_;
    for (const auto& [part, group, most] : loans) {
        const index_t n = std::min({needed[group], most, spare(parts_[part])});
        if (n <= 0 || offered[group] < lacking_[group]) continue;
        transfers.push_back({part, group, n});
        remove(parts_[part].class_id, parts_[part].combination, n);
        parts_[part].n -= n;
        needed[group] -= n;
    }
    for (const Transfer& transfer : transfers) {
        Part& part = parts_[transfer.part];
        if (needed[transfer.group] > 0) {
            add(part.class_id, part.combination, transfer.n);
            part.n += transfer.n;
            continue;
        }
        const index_t class_id = class_of(groups_.key(transfer.group));
        add(class_id, part.combination, transfer.n);
        parts_.push_back({part.combination, blanked, transfer.n, class_id});
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
        const index_t class_id = class_of(groups_.key(group));
        add(class_id, i, all_.counts[i]);
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
        return class_id >= 0 && class_id != part.class_id && sizes_.units(class_id) > 0;
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
    if (left <= 0.0 || n_members < sizes_.records(parts_[members[0]].class_id))
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
        const index_t n = spare(parts_[m]);
        if (n <= 0) continue;
        const Move to = cheapest_class(parts_[m], all_.cost(parts_[m].blanked, parts_[m].combination));
        if (to.class_id < 0) continue;
        move(m, to, n);
        changed = true;
    }
    return changed;
}

// Cells of a record that are shown with the pattern and blank now, less those that are blanked by it.
double LocalSuppression::gain(const Part& part, index_t pattern) const {
    const Columns missing = all_.missing(part.combination);
    const double cost = missing == 0 ? costs_[pattern] : all_.cost(patterns_[pattern] & ~missing);
    return all_.cost(part.blanked & ~missing) - cost;
}

// Patterns from cheap to expensive, groups as their records are met. Records without a blank stay where they are.
bool LocalSuppression::regroup() {
    std::vector<index_t> blanked;
    for (index_t part = 0; part < static_cast<index_t>(parts_.size()); ++part)
        if (parts_[part].blanked != 0) blanked.push_back(part);
    bool changed = false;
    for (index_t p = 0; p < static_cast<index_t>(patterns_.size()); ++p) {
        std::erase_if(blanked, [&](index_t part) { return spare(parts_[part]) <= 0; });
        find_groups_with_gain(blanked, p);
        if (groups_.size() == 0) continue;
        std::vector<std::vector<index_t>> candidates(groups_.size());
        for (const index_t part : blanked) {
            const index_t group = groups_.find(all_.keys[parts_[part].combination] & kept_[p]);
            if (group >= 0) candidates[group].push_back(part);
        }
        for (index_t g = 0; g < groups_.size(); ++g) changed |= form_class(candidates[g], groups_.key(g), p);
    }
    drop_empty_parts();
    return changed;
}

// The groups, under a pattern, of records that would have fewer blanks with it, where there is no class yet.
void LocalSuppression::find_groups_with_gain(const std::vector<index_t>& some, index_t pattern) {
    groups_.clear();
    for (const index_t part : some) {
        if (gain(parts_[part], pattern) <= 0.0) continue;
        const PackedKey key = all_.keys[parts_[part].combination] & kept_[pattern];
        if (const index_t c = classes_.find(key); c >= 0 && sizes_.units(c) > 0) continue;
        groups_.number(key);
    }
}

// A class of the candidates with the largest gain: all that gain, and as many others as it takes to be k; the first on
// ties. Nothing is changed unless the gain of all together is above 0.
bool LocalSuppression::form_class(const std::vector<index_t>& candidates, const PackedKey& key, index_t pattern) {
    std::vector<std::pair<double, index_t>> by_gain;
    by_gain.reserve(candidates.size());
    for (const index_t part : candidates) by_gain.push_back({gain(parts_[part], pattern), part});
    std::stable_sort(by_gain.begin(), by_gain.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::pair<index_t, index_t>> taken;  // (part, records)
    group_units_.clear();
    index_t n_units = 0;
    double total = 0.0;
    for (const auto& [gained, p] : by_gain) {
        Part& part = parts_[p];
        const bool alone = all_.unit(part.combination) < 0;
        if (gained <= 0.0 && n_units >= k_) break;
        const index_t most = gained > 0.0 ? part.n : alone ? k_ - n_units : 1;
        const index_t n = std::min(most, spare(part));
        if (n <= 0) continue;
        const bool is_new = is_new_in_group(0, part.combination);
        if (gained <= 0.0 && !is_new) continue;
        n_units += alone ? n : is_new;
        total += gained * static_cast<double>(n);
        remove(part.class_id, part.combination, n);
        part.n -= n;
        taken.push_back({p, n});
    }
    const bool forms = n_units >= k_ && total > 0.0;
    const index_t formed = forms ? class_of(key) : -1;
    for (const auto& [p, n] : taken) {
        const index_t combination = parts_[p].combination;
        add(forms ? formed : parts_[p].class_id, combination, n);
        if (forms)
            parts_.push_back({combination, patterns_[pattern], n, formed});
        else
            parts_[p].n += n;
    }
    return forms;
}

void LocalSuppression::move(index_t part, const Move& to, index_t n) {
    const index_t combination = parts_[part].combination;
    remove(parts_[part].class_id, combination, n);
    add(to.class_id, combination, n);
    parts_[part].n -= n;
    parts_.push_back({combination, to.blanked, n, to.class_id});
}

void LocalSuppression::drop_empty_parts() {
    std::erase_if(parts_, [](const Part& part) { return part.n == 0; });
}

}  // namespace shoal
