// The records of least distance minus price for every person: pricing, for an assignment that holds few of all pairs.
//
// Records lie in leaves of neighbors, each with its box and its highest price; a leaf that cannot be below the limit of
// a person is left out. All other pairs are compared, without a square root where their square is not below.
// Ties: the lowest record.
#pragma once

#include <cstddef>
#include <vector>

#include "common/matrix.hpp"

namespace shoal {

struct CheapPairs {
    std::vector<index_t> persons;  // rows of the persons that were given
    std::vector<index_t> records;
    std::vector<double> distances;
};

class RecordPricing {
public:
    explicit RecordPricing(Matrix records);

    index_t n_records() const { return static_cast<index_t>(order_.size()); }

    // Of every person up to `n_wanted` records, those of least distance minus price, if this is below the person's
    // limit. `prices`: (n_records,) 0 or less; `limits`: (n_persons,).
    CheapPairs below(Matrix persons, const double* prices, const double* limits, index_t n_wanted) const;

private:
    struct Cheap {
        double reduced;  // distance minus price
        index_t record;
        double distance;

        bool operator<(const Cheap& other) const {
            return reduced < other.reduced || (reduced == other.reduced && record < other.record);
        }
    };
    struct Leaf {
        index_t begin, end;  // records in order
    };
    struct Search;

    void divide(Matrix records, index_t begin, index_t end);
    index_t widest_column(Matrix records, index_t begin, index_t end) const;
    void enclose(std::size_t leaf);
    std::vector<double> highest_prices(const double* prices) const;
    double squared_gap(std::size_t leaf, const double* person) const;
    void look_at(std::size_t leaf, const double* prices, Search& search) const;

    index_t d_;
    std::vector<index_t> order_;   // (n_records,) the record at a place
    std::vector<double> columns_;  // (d, n_records) in order
    std::vector<Leaf> leaves_;
    std::vector<double> boxes_;  // (n_leaves, 2, d) lowest and highest values
};

}  // namespace shoal
