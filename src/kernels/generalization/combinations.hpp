// A view of combinations of values with their records, and of the columns that may be blanked. Each is there once, or
// once for every unit.
#pragma once

#include <cstdint>
#include <vector>

#include "generalization/key_index.hpp"

namespace shoal {

using Columns = std::uint64_t;  // a set of columns, bit j for column j

struct Combinations {
    const PackedKey* keys;  // (n,) packed values, 0 where one is missing
    const index_t* counts;  // (n,) records
    const index_t* units;   // (n,) the unit of all of them, -1: each is one; null: each record is one
    index_t n;
    const PackedKey* fields;  // (q,) the bits of every column
    const double* weights;    // (q,) what a blank cell costs
    index_t q;

    index_t unit(index_t i) const { return units == nullptr ? -1 : units[i]; }

    // How many units the records of combination i are.
    index_t n_units(index_t i) const { return unit(i) < 0 ? counts[i] : 1; }

    // The bits that are left when some columns are blanked.
    PackedKey kept(Columns blanked) const {
        PackedKey bits{0, 0};
        for (index_t j = 0; j < q; ++j)
            if (blanked >> j & 1) bits = bits | fields[j];
        return ~bits;
    }

    Columns missing(index_t i) const {
        Columns found = 0;
        for (index_t j = 0; j < q; ++j)
            if ((keys[i] & fields[j]).empty()) found |= Columns{1} << j;
        return found;
    }

    // The cost of blanks for a record.
    double cost(Columns blanked) const {
        double total = 0.0;
        for (index_t j = 0; j < q; ++j)
            if (blanked >> j & 1) total += weights[j];
        return total;
    }

    // The cost of blanks for a record of combination i; a value that was missing costs nothing.
    double cost(Columns blanked, index_t i) const { return cost(blanked & ~missing(i)); }
};

}  // namespace shoal
