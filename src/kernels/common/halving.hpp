// Records divided at the median of a column, in one pass without a branch to guess for most of them.
//
// Two values of a sample enclose the median: what is below or above both is set aside, and the few records between them
// are selected from. (Floyd & Rivest 1975, doi:10.1145/360680.360691.)
#pragma once

#include <vector>

#include "common/active_index.hpp"

namespace shoal {

class Halving {
public:
    // Afterwards no record before `middle` has a larger value than one from it on.
    void halve(Matrix cells, index_t column, index_t* begin, index_t* middle, index_t* end);

private:
    void set_aside(Matrix cells, index_t column, const index_t* begin, const index_t* end);
    void select(std::size_t n_lower);

    std::vector<double> sample_;
    std::vector<index_t> below_, above_;  // as long as the longest division so far
    std::vector<Candidate> between_;      // (value, record)
    std::size_t n_below_ = 0, n_above_ = 0, n_between_ = 0;
};

}  // namespace shoal
