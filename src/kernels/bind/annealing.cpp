#include "bind/bind.hpp"
#include "common/neighbor_tree.hpp"
#include "microaggregation/annealing.hpp"

namespace shoal {

using namespace nb::literals;
using InNeighbors = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void bind_annealing(nb::module_& m) {
    nb::class_<NeighborTree>(m, "NeighborTree", "A k-d tree over records, for their nearest records.")
        .def(
            "__init__",
            [](NeighborTree* self, InMatrix X, index_t threads) {
                without_gil([&] { new (self) NeighborTree(view(X), threads); });
            },
            "X"_a.noconvert(), "threads"_a = 1)
        .def(
            "nearest",
            [](const NeighborTree& self, index_t first, index_t last, index_t n_neighbors, index_t max_visited) {
                return to_numpy(without_gil([&] { return self.nearest(first, last, n_neighbors, max_visited); }),
                                {static_cast<std::size_t>(last - first), static_cast<std::size_t>(n_neighbors)});
            },
            "first"_a, "last"_a, "n_neighbors"_a, "max_visited"_a,
            "Nearest records of the records first .. last - 1, nearest first, visiting at most max_visited records.");

    nb::class_<Annealing>(m, "Annealing", "Local search over partitions, a few proposals at a time.")
        .def(
            "__init__",
            [](Annealing* self, InMatrix X, InLabels labels, index_t k, InNeighbors neighbors, std::uint64_t seed) {
                new (self) Annealing(view(X), labels.data(), k, neighbors.data(),
                                     static_cast<index_t>(neighbors.shape(1)), seed);
            },
            "X"_a.noconvert(), "labels"_a.noconvert(), "k"_a, "neighbors"_a.noconvert(), "seed"_a)
        .def("plan", &Annealing::plan, "n_proposals"_a, "hot"_a, "cold"_a,
             "Plan n_proposals more, from a hot temperature down to a cold one; at 0 only improvements are accepted.")
        .def("step", &Annealing::step, "n_proposals"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Runs at most n_proposals of those planned; returns how many are left.")
        .def_prop_ro("sse", &Annealing::sse)
        .def(
            "labels",
            [](const Annealing& self) {
                auto labels = self.labels();
                const std::size_t n = labels.size();
                return to_numpy(std::move(labels), {n});
            },
            "Group of every record, numbered in the order of their first records.");
}

}  // namespace shoal
