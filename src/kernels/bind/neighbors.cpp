#include "bind/bind.hpp"
#include "common/active_set.hpp"
#include "common/neighbors.hpp"

namespace shoal {

using namespace nb::literals;

void bind_neighbors(nb::module_& m) {
    nb::enum_<NeighborSearch>(m, "NeighborSearch",
                              "How the nearest and the farthest are found; the groups are the same.")
        .value("automatic", NeighborSearch::automatic)
        .value("scan", NeighborSearch::scan)
        .value("tree", NeighborSearch::tree);

    m.def(
        "nearest_neighbors",
        [](InMatrix X, InLabels of, index_t k) {
            auto found = without_gil(
                [&] { return nearest_neighbors(view(X), of.data(), static_cast<index_t>(of.shape(0)), k); });
            return to_numpy(std::move(found), {of.shape(0), static_cast<std::size_t>(k)});
        },
        "X"_a.noconvert(), "of"_a.noconvert(), "k"_a,
        "The k records nearest to each record in `of`, itself among them; lower record first on ties.");

    m.def(
        "nearest_neighbors_of_codes",
        [](InMatrix cells, InVector heights, InLabels of, index_t k) {
            auto found = without_gil([&] {
                std::vector<double> steps(heights.data(), heights.data() + heights.size());
                for (double& step : steps) step *= step;
                const Points X{view(cells), steps.data()};
                return nearest_neighbors(X, of.data(), static_cast<index_t>(of.shape(0)), k);
            });
            return to_numpy(std::move(found), {of.shape(0), static_cast<std::size_t>(k)});
        },
        "cells"_a.noconvert(), "heights"_a.noconvert(), "of"_a.noconvert(), "k"_a,
        "The same where columns with a height are codes of one-hot coordinates.");
}

}  // namespace shoal
