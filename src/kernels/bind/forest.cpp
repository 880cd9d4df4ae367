#include "bind/bind.hpp"
#include "microaggregation/forest.hpp"

namespace shoal {

using namespace nb::literals;

void bind_forest(nb::module_& m) {
    m.def(
        "nearest_forest",
        [](InMatrix X, index_t k, NeighborSearch search) {
            return to_numpy(without_gil([&] { return nearest_forest(view(X), k, search); }), {X.shape(0)});
        },
        "X"_a.noconvert(), "k"_a, "search"_a = NeighborSearch::automatic,
        "The record that every record points to, -1 at a root, in trees of k records or more.");

    m.def(
        "cut_forest",
        [](InLabels points_to, index_t k) {
            const auto n = static_cast<index_t>(points_to.shape(0));
            return to_numpy(without_gil([&] { return cut_forest(points_to.data(), n, k); }), {points_to.shape(0)});
        },
        "points_to"_a.noconvert(), "k"_a, "Group of every record once large trees are cut.");
}

}  // namespace shoal
