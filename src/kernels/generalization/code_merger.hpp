// Merges codes that no cut of a box or of a part of it can separate: fewer cells, the same costs.
#pragma once

#include <cstdint>
#include <vector>

#include "common/hash_index.hpp"
#include "generalization/box_space.hpp"

namespace shoal {

// Only where the extent of a block costs nothing, and of attributes whose parts are not kept.
class CodeMerger {
public:
    explicit CodeMerger(const Problem& problem) : problem_(problem), joined_(problem.attributes.size()) {}

    // Of a counted box; its sums stay as they are.
    void join(BoxCounts& box);

private:
    double join_codes(const BoxCounts& box, index_t column);
    void join_line(const BoxCounts& box, index_t column);
    void join_nodes(const BoxCounts& box, index_t column);
    void join_cells(BoxCounts& box);

    const Problem& problem_;
    std::vector<std::vector<std::int32_t>> joined_;  // per attribute: the code that stands for each of the box
    HashIndex kept_;                                 // cells that are different once codes are joined
};

}  // namespace shoal
