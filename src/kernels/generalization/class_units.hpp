// How many different units, and how many records, every class has.
#pragma once

#include <vector>

#include "generalization/key_index.hpp"

namespace shoal {

// A unit below 0: each of the records is a unit of its own.
class ClassUnits {
public:
    void resize(index_t n_classes) {
        units_.resize(n_classes, 0);
        records_.resize(n_classes, 0);
    }

    index_t units(index_t class_id) const { return units_[class_id]; }
    index_t records(index_t class_id) const { return records_[class_id]; }

    void add(index_t class_id, index_t unit, index_t n) {
        if (n == 0) return;
        records_[class_id] += n;
        if (unit < 0) {
            units_[class_id] += n;
            return;
        }
        const index_t pair = pairs_.number(pair_of(class_id, unit));
        records_of_pairs_.resize(pairs_.size(), 0);
        if (records_of_pairs_[pair] == 0) ++units_[class_id];
        records_of_pairs_[pair] += n;
    }

    void remove(index_t class_id, index_t unit, index_t n) {
        if (n == 0) return;
        records_[class_id] -= n;
        if (unit < 0) {
            units_[class_id] -= n;
            return;
        }
        index_t& left = records_of_pairs_[pairs_.find(pair_of(class_id, unit))];
        left -= n;
        if (left == 0) --units_[class_id];
    }

    // How many of n records of a unit may leave so that at least k units stay: all of them, all but one, or, where each
    // is a unit of its own, those above k.
    index_t spare(index_t class_id, index_t unit, index_t n, index_t k) const {
        const index_t above = units_[class_id] - k;
        if (unit < 0) return above < n ? above : n;
        const bool stays = records_of_pairs_[pairs_.find(pair_of(class_id, unit))] > n;
        return above > 0 || stays ? n : n - 1;
    }

private:
    static PackedKey pair_of(index_t class_id, index_t unit) {
        return {static_cast<std::uint64_t>(class_id), static_cast<std::uint64_t>(unit)};
    }

    std::vector<index_t> units_;
    std::vector<index_t> records_;
    KeyIndex pairs_;  // (class, unit)
    std::vector<index_t> records_of_pairs_;
};

}  // namespace shoal
