// Minimal sample uniques: sets of columns on which a record is alone, while on no smaller part of them it is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/matrix.hpp"

namespace shoal {

// SUDA2 of Manning, Haglin & Keane (2008), one item (a value of a column) of the whole table at a time. Items are ranked
// by how rare they are, the rarest first. A unique set is found from its first item: among the records that have the item
// the rest is minimally unique, and some record without the item has the rest too.
class Suda {
public:
    // `codes` is (n, d), values of column j are 0 .. n_values[j] - 1. Sets of up to `max_size` columns are looked for.
    Suda(const index_t* codes, index_t n, index_t d, const index_t* n_values, index_t max_size);

    // Looks at up to n_items more items; returns how many are left.
    index_t step(index_t n_items);

    index_t n_items() const { return static_cast<index_t>(whole_.items.size()); }
    const std::vector<index_t>& by_record() const { return by_record_; }  // (n, max_size) unique sets of size 1, 2, ...
    const std::vector<index_t>& by_column() const {
        return by_column_;
    }  // (d, max_size) those that a column is part of

private:
    using Items = std::vector<std::int32_t>;

    struct UniqueSet {
        index_t record;
        Items items;
    };

    // Records of every item, among some of the records, items that are ranked after `last` only.
    struct Postings {
        Items items;                  // that occur, by rank
        std::vector<index_t> starts;  // (items + 1,) into records
        std::vector<index_t> records;

        std::size_t place(std::int32_t item) const {
            return static_cast<std::size_t>(std::lower_bound(items.begin(), items.end(), item) - items.begin());
        }
    };

    std::int32_t item(index_t record, index_t column) const { return items_of_[record * d_ + column]; }
    bool has(index_t record, std::int32_t item) const { return items_of_[record * d_ + column_of_[item]] == item; }
    Postings postings_of(const index_t* records, index_t n, std::int32_t last);
    void find(const index_t* records, index_t n, std::int32_t last, index_t max_size, std::vector<UniqueSet>& found);
    bool is_supported(const Postings& postings, const UniqueSet& rest, std::int32_t without) const;
    void extend(const Postings& postings, std::size_t at, index_t n, index_t max_size, std::vector<UniqueSet>& found);
    void count(const UniqueSet& unique);

    index_t n_, d_, max_size_;
    std::vector<std::int32_t> items_of_;   // (n, d) items by their rank
    std::vector<std::int32_t> column_of_;  // (items,)
    std::vector<index_t> seen_;            // (items,) scratch: occurrences
    Postings whole_;
    std::size_t next_ = 0;
    std::vector<index_t> by_record_, by_column_;
};

}  // namespace shoal
