#include "generalization/wildcard.hpp"

#include <algorithm>
#include <map>

namespace shoal {

namespace {

// Combinations with the same columns missing, from the fewest columns on.
std::map<Columns, std::vector<index_t>> by_missing(const Combinations& all) {
    std::map<Columns, std::vector<index_t>> found;
    for (index_t i = 0; i < all.n; ++i) found[all.missing(i)].push_back(i);
    return found;
}

// Records of some combinations that are alike on the kept columns.
struct Tally {
    KeyIndex keys;
    std::vector<index_t> records;

    void add(const PackedKey& key, index_t n) {
        const index_t at = keys.number(key);
        records.resize(keys.size(), 0);
        records[at] += n;
    }
    index_t of(const PackedKey& key) const {
        const index_t at = keys.find(key);
        return at < 0 ? 0 : records[at];
    }
};

// (n,) Records that match each combination, its own among them. Those of one set of missing columns are counted by what
// both know, and those of another look themselves up.
std::vector<index_t> wildcard_sizes(const Combinations& all) {
    const auto groups = by_missing(all);
    std::vector<index_t> sizes(all.n, 0);
    for (const auto& [missing_there, there] : groups) {
        std::map<Columns, std::vector<const std::vector<index_t>*>> here;  // by what is compared
        for (const auto& [missing_here, some] : groups) here[missing_here | missing_there].push_back(&some);
        for (const auto& [ignored, seekers] : here) {
            const PackedKey kept = all.kept(ignored);
            Tally tally;
            for (const index_t i : there) tally.add(all.keys[i] & kept, all.counts[i]);
            for (const auto* some : seekers)
                for (const index_t i : *some) sizes[i] += tally.of(all.keys[i] & kept);
        }
    }
    return sizes;
}

bool match(const Combinations& all, index_t a, index_t b) {
    const PackedKey compared = all.kept(all.missing(a) | all.missing(b));
    return (all.keys[a] & compared) == (all.keys[b] & compared);
}

// What blanking one combination does for those that lack records.
class WildcardSuppression {
public:
    WildcardSuppression(const Combinations& all, index_t k)
        : all_(all), k_(k), blanked_(all.n, 0), sizes_(wildcard_sizes(all)) {
        for (index_t i = 0; i < all_.n; ++i)
            if (sizes_[i] < k_) lacking_.push_back(i);
        failing_ = lacking_;
    }

    bool done() const { return lacking_.empty(); }

    void blank_where_enough(Columns pattern) {
        const PackedKey kept = all_.kept(pattern);
        const auto groups = alike(lacking_, kept);
        std::vector<index_t> records(groups.members.size(), 0);
        for (index_t i = 0; i < all_.n; ++i)
            if (const index_t g = groups.keys.find(all_.keys[i] & kept); g >= 0) records[g] += all_.counts[i];
        for (std::size_t g = 0; g < records.size(); ++g)
            if (records[g] >= k_) repair(groups.members[g], pattern);
        std::erase_if(lacking_, [&](index_t i) { return blanked_[i] != 0 || sizes_[i] >= k_; });
    }

    // From the last blanked to the first: what the others' blanks do alone is taken back.
    void restore_unneeded() {
        gather_all_gains();
        for (std::size_t at = order_.size(); at-- > 0;) {
            const index_t i = order_[at];
            if (sizes_[i] < k_) continue;
            const auto& near = neighbors(i);
            const bool needed = std::any_of(near.begin(), near.end(), [&](index_t j) {
                return blanked_[j] == 0 && gains(i, j) && sizes_[j] - all_.counts[i] < k_;
            });
            if (needed) continue;
            for (const index_t j : near)
                if (gains(i, j)) sizes_[j] -= all_.counts[i];
            blanked_[i] = 0;
        }
    }

    const std::vector<Columns>& blanked() const { return blanked_; }

private:
    struct Groups {
        KeyIndex keys;
        std::vector<std::vector<index_t>> members;
    };

    Groups alike(const std::vector<index_t>& some, const PackedKey& kept) const {
        Groups found;
        for (const index_t i : some) {
            const index_t g = found.keys.number(all_.keys[i] & kept);
            found.members.resize(found.keys.size());
            found.members[g].push_back(i);
        }
        return found;
    }

    // Records that are alike but for the pattern: one is blanked after the other until none lacks records.
    void repair(std::vector<index_t> members, Columns pattern) {
        while (!members.empty()) {
            const auto least = std::min_element(members.begin(), members.end(), [&](index_t a, index_t b) {
                return sizes_[a] < sizes_[b] || (sizes_[a] == sizes_[b] && a < b);
            });
            const index_t chosen = *least;
            members.erase(least);
            blanked_[chosen] = pattern;
            order_.push_back(chosen);
            for (const index_t j : members)
                if (!match(all_, chosen, j)) sizes_[j] += all_.counts[chosen];
            std::erase_if(members, [&](index_t j) { return sizes_[j] >= k_; });
        }
    }

    bool gains(index_t from, index_t to) const { return from != to && !match(all_, from, to); }

    // Those that lacked records at first and are like i but for its blanks.
    const std::vector<index_t>& neighbors(index_t i) const {
        const Groups& groups = failing_alike_.at(blanked_[i]);
        return groups.members[groups.keys.find(all_.keys[i] & all_.kept(blanked_[i]))];
    }

    void gather_all_gains() {
        sizes_ = wildcard_sizes(all_);
        for (const index_t i : order_)
            if (!failing_alike_.contains(blanked_[i]))
                failing_alike_.emplace(blanked_[i], alike(failing_, all_.kept(blanked_[i])));
        for (const index_t i : order_)
            for (const index_t j : neighbors(i))
                if (gains(i, j)) sizes_[j] += all_.counts[i];
    }

    const Combinations& all_;
    index_t k_;
    std::vector<Columns> blanked_;
    std::vector<index_t> sizes_;  // records that match, if the combination itself were not blanked
    std::vector<index_t> lacking_;
    std::vector<index_t> failing_;  // all that lacked records at first
    std::vector<index_t> order_;    // combinations as they were blanked
    std::map<Columns, Groups> failing_alike_;
};

}  // namespace

std::vector<Columns> wildcard_blanks(const Combinations& all, const std::vector<Columns>& patterns, index_t k) {
    WildcardSuppression suppression(all, k);
    for (const Columns pattern : patterns) {
        if (suppression.done()) break;
        suppression.blank_where_enough(pattern);
    }
    suppression.restore_unneeded();
    return suppression.blanked();
}

}  // namespace shoal
