#include "linkage/unique_rows.hpp"

#include <algorithm>

namespace shoal {

namespace {

constexpr std::uint64_t most_places = std::uint64_t{1} << 22;  // of a table that is indexed by combinations
}  // namespace

UniqueRows::UniqueRows(const index_t* codes, index_t d, index_t n, const index_t* n_values, const index_t* units)
    : n_(n), codes_(codes, codes + d * n), n_values_(n_values, n_values + d), units_(units, units + n), at_(n) {}

std::vector<index_t> UniqueRows::find(const index_t* columns, index_t n_columns, const std::uint8_t* skipped) {
    std::uint64_t n_places = 1;
    for (index_t c = 0; c < n_columns && n_places <= most_places; ++c)
        n_places *= static_cast<std::uint64_t>(n_values_[columns[c]]);
    if (n_places <= most_places)
        find_places(columns, n_columns, skipped, n_places);
    else
        find_slots(columns, n_columns, skipped);
    std::vector<index_t> found;
    for (index_t i = 0; i < n_; ++i)
        if (!skipped[i] && unit_of_[at_[i]] != several) found.push_back(i);
    return found;
}

// Few combinations: the place of a row is the number of its combination.
void UniqueRows::find_places(const index_t* columns, index_t n_columns, const std::uint8_t* skipped,
                             std::uint64_t n_places) {
    unit_of_.assign(n_places, none);
    for (index_t i = 0; i < n_; ++i) {
        if (skipped[i]) continue;
        std::int32_t place = 0;
        for (index_t c = 0; c < n_columns; ++c) place = place * n_values_[columns[c]] + code(columns[c], i);
        at_[i] = place;
        std::int32_t& unit = unit_of_[place];
        unit = unit == none || unit == units_[i] ? units_[i] : several;
    }
}

// Many combinations: the place of a row is the number of the combination in order of appearance.
void UniqueRows::find_slots(const index_t* columns, index_t n_columns, const std::uint8_t* skipped) {
    combinations_.clear(n_);
    first_.clear();
    unit_of_.clear();
    for (index_t i = 0; i < n_; ++i) {
        if (skipped[i]) continue;
        std::uint64_t hash = 0;
        for (index_t c = 0; c < n_columns; ++c) hash = mixed(hash ^ static_cast<std::uint64_t>(code(columns[c], i)));
        const index_t place = combinations_.number(hash, [&](index_t number) {
            return std::all_of(columns, columns + n_columns,
                               [&](index_t column) { return code(column, first_[number]) == code(column, i); });
        });
        if (place == static_cast<index_t>(first_.size())) {
            first_.push_back(i);
            unit_of_.push_back(units_[i]);
        }
        at_[i] = static_cast<std::int32_t>(place);
        std::int32_t& unit = unit_of_[place];
        if (unit != units_[i]) unit = several;
    }
}

}  // namespace shoal
