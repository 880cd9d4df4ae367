#include "common/neighbors.hpp"

#include "common/dynamic_kd_tree.hpp"

namespace shoal {

std::vector<index_t> nearest_neighbors(Matrix X, const index_t* of, index_t n_of, index_t k) {
    const CodedPoints coded(X);
    return nearest_neighbors(coded.points(), of, n_of, k);
}

std::vector<index_t> nearest_neighbors(Points X, const index_t* of, index_t n_of, index_t k) {
    const Duplicates duplicates(X.cells);
    const auto tree = dynamic_kd_tree(X, duplicates.different(), duplicates);
    Nearest nearest(k);
    std::vector<index_t> neighbors(static_cast<std::size_t>(n_of) * k);
    for (index_t i = 0; i < n_of; ++i) {
        nearest.clear();
        tree->nearest_to(of[i], nearest);
        const auto& sorted = nearest.sorted();
        for (index_t m = 0; m < k; ++m) neighbors[i * k + m] = sorted[m].second;
    }
    return neighbors;
}

}  // namespace shoal
