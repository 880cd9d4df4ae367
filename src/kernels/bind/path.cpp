#include "bind/bind.hpp"
#include "microaggregation/optimal_groups.hpp"
#include "microaggregation/path.hpp"

namespace shoal {

using namespace nb::literals;

void bind_path(nb::module_& m) {
    m.def(
        "best_cut",
        [](InMatrix X, InLabels path, index_t k) {
            return to_numpy(without_gil([&] { return best_cut(view(X), path.data(), k); }), {X.shape(0)});
        },
        "X"_a.noconvert(), "path"_a.noconvert(), "k"_a,
        "Groups of k to 2k - 1 neighbors on the path with the least sum of squared errors.");

    m.def(
        "optimal_groups",
        [](InMatrix X, index_t k) {
            return to_numpy(without_gil([&] { return optimal_groups(view(X), k); }), {X.shape(0)});
        },
        "X"_a.noconvert(), "k"_a,
        "Groups of k to 2k - 1 of a few records with the least sum of squared errors, of all partitions.");

    m.def(
        "nearest_next_path",
        [](InMatrix X, index_t start, NeighborSearch search) {
            return to_numpy(without_gil([&] { return nearest_next_path(view(X), start, search); }), {X.shape(0)});
        },
        "X"_a.noconvert(), "start"_a, "search"_a = NeighborSearch::automatic,
        "Records in the order of a walk that always goes on to the nearest one not yet visited.");

    m.def(
        "path_through_groups",
        [](InMatrix X, InLabels labels, InLabels group_path, InVector start) {
            return to_numpy(without_gil([&] {
                                const std::vector<index_t> groups(group_path.data(),
                                                                  group_path.data() + group_path.shape(0));
                                return path_through_groups(view(X), labels.data(), groups, start.data());
                            }),
                            {X.shape(0)});
        },
        "X"_a.noconvert(), "labels"_a.noconvert(), "group_path"_a.noconvert(), "start"_a.noconvert(),
        "Records group after group, within a group always to the nearest.");

    m.def(
        "farthest_from",
        [](InMatrix X, InVector center) { return without_gil([&] { return farthest_from(view(X), center.data()); }); },
        "X"_a.noconvert(), "center"_a.noconvert(), "The record farthest from the center.");
}

}  // namespace shoal
