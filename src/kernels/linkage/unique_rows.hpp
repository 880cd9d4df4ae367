// Rows that some columns single out: no other unit has their combination of codes.
#pragma once

#include <cstdint>
#include <vector>

#include "common/hash_index.hpp"
#include "common/matrix.hpp"

namespace shoal {

class UniqueRows {
public:
    // `codes` is (d, n): column by column; codes of column j are 0 .. n_values[j] - 1. Rows of one unit do not hide each
    // other.
    UniqueRows(const index_t* codes, index_t d, index_t n, const index_t* n_values, const index_t* units);

    // Rows, in their order, that the columns single out among the rows that are not skipped.
    std::vector<index_t> find(const index_t* columns, index_t n_columns, const std::uint8_t* skipped);

private:
    static constexpr std::int32_t none = -1, several = -2;  // units with a combination, where it is not one unit

    void find_places(const index_t* columns, index_t n_columns, const std::uint8_t* skipped, std::uint64_t n_places);
    void find_slots(const index_t* columns, index_t n_columns, const std::uint8_t* skipped);
    std::int32_t code(index_t column, index_t row) const { return codes_[column * n_ + row]; }

    index_t n_;
    std::vector<std::int32_t> codes_;  // (d, n)
    std::vector<std::int32_t> n_values_, units_;
    std::vector<std::int32_t> at_;       // (n,) the place of the combination of every row
    std::vector<std::int32_t> unit_of_;  // by place
    HashIndex combinations_;             // where they are many
    std::vector<index_t> first_;         // the first row of each of combinations_
};

}  // namespace shoal
