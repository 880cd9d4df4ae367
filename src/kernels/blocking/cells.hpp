// Cells of a space whose dimensions are halved again and again: the key of a cell is the bits of all positions,
// interleaved (a Morton code), so that cells in order of their keys are the leaves of a 2^d-tree from left to right.
//
// A position is the share of its column's range that lies below a value, in units of 2^-32 of the range. Positions are
// whole numbers, so their sums are exact and do not depend on the order of the records.
#pragma once

#include <cstdint>
#include <vector>

#include "common/hash_index.hpp"
#include "common/matrix.hpp"

namespace shoal {

using word_t = std::uint64_t;

constexpr int kWordBits = 64;
constexpr int kPositionBits = 32;

// The ranges of all columns, and the columns that are halved.
struct Space {
    const double* lower;
    const double* upper;
    const index_t* dimensions;
    index_t n_dimensions;

    // Values outside of the range lie at its ends.
    std::uint32_t position(double x, index_t column) const {
        const double share = (x - lower[column]) / (upper[column] - lower[column]);
        if (!(share > 0.0)) return 0;  // also 0 / 0, where all values are alike
        return share < 1.0 ? static_cast<std::uint32_t>(share * 4294967296.0) : UINT32_MAX;
    }
};

// Keys of n_bits, the first bit on top of the first word; what is beyond n_bits is 0.
class Keys {
public:
    Keys(const Space& space, index_t n_bits);

    index_t n_words() const { return n_words_; }
    void key_of(const double* x, word_t* key);
    std::uint32_t position(index_t dimension) const { return positions_[dimension]; }  // of the last record

private:
    word_t short_key() const;
    void long_key(word_t* key) const;

    Space space_;
    index_t n_bits_, n_words_;
    std::vector<std::uint32_t> positions_;
    std::vector<word_t>
        spread_;  // (256,) the bits of a byte, one for every bit of a level, from the top; empty for long keys
};

// What a CellCounter counts. Only records whose key begins like one of the open keys are counted: n_open keys of open_bits
// bits, ascending.
struct CellGrid {
    std::vector<double> lower, upper;  // (d,) range of every column
    std::vector<index_t> dimensions;   // columns that are halved
    std::vector<word_t> open;
    index_t n_open, open_bits;
    index_t n_bits;  // of a key
};

// Counts records by cell, in as many batches as there are.
class CellCounter {
public:
    explicit CellCounter(CellGrid grid);

    CellCounter(const CellCounter&) = delete;  // its space points into it

    void add(Matrix X);

    index_t n_cells() const { return static_cast<index_t>(counts_.size()); }
    index_t n_words() const { return n_words_; }
    index_t n_columns() const { return d_; }
    std::vector<index_t> order() const;                                    // cells by their keys
    std::vector<word_t> keys(const std::vector<index_t>& order) const;     // (n_cells, n_words)
    std::vector<index_t> counts(const std::vector<index_t>& order) const;  // (n_cells,)
    std::vector<index_t> sums(const std::vector<index_t>& order) const;    // (n_cells, d) of positions

private:
    bool is_open(const word_t* key);
    index_t cell_of(const word_t* key);
    void add_positions(const double* x, index_t* sums) const;

    std::vector<double> lower_, upper_;
    std::vector<index_t> dimensions_;
    std::vector<index_t> undivided_;  // the other columns
    Space space_;
    Keys keys_of_;
    index_t n_words_, d_;
    std::vector<word_t> open_;
    index_t n_open_, open_words_, open_bits_;
    std::vector<word_t> keys_;     // (n_cells, n_words) in the order the cells were met
    std::vector<index_t> counts_;  // (n_cells,)
    std::vector<index_t> sums_;    // (n_cells, d)
    HashIndex cells_;
    std::vector<word_t> prefix_;  // (open_words,)
};

// The last of `starts` (n_starts keys of n_bits, ascending) that is not above the key of each record; the first for
// records before all. (n,)
std::vector<index_t> find_cells(Matrix X, const Space& space, index_t n_bits, const word_t* starts, index_t n_starts);

}  // namespace shoal
