// Who is near among the records that are left: one question, answered by a scan or by a tree, to the last bit alike.
#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "matrix.hpp"

namespace shoal {

using Candidate = std::pair<double, index_t>;  // (squared distance, record): nearer first, then lower

class Neighbors {
public:
    virtual ~Neighbors() = default;

    virtual void remove(index_t record) = 0;
    virtual index_t n_left() const = 0;

    // The `count` records left that are nearest to `point`, nearest first, lower record on ties; fewer if fewer are
    // left. Squared distances are summed column by column in order.
    virtual void nearest(const double* point, index_t count, std::vector<Candidate>& found) = 0;

    // Distances computed so far: what a question costs.
    virtual index_t n_looked() const = 0;
};

enum class Search { kProbe, kScan, kTree };

Search search_named(std::string_view name);  // probe, scan or tree; throws std::invalid_argument

// The searcher asked for; by default the one that a probe of `count` nearest finds cheaper. X must outlive it.
std::unique_ptr<Neighbors> search_in(Matrix X, index_t count, Search how = Search::kProbe);

// Keeps the `count` first candidates in a heap with the last of them on top.
inline void keep_nearest(std::vector<Candidate>& heap, index_t count, Candidate candidate) {
    if (static_cast<index_t>(heap.size()) == count) {
        if (!(candidate < heap.front())) return;
        std::pop_heap(heap.begin(), heap.end());
        heap.pop_back();
    }
    heap.push_back(candidate);
    std::push_heap(heap.begin(), heap.end());
}

}  // namespace shoal
