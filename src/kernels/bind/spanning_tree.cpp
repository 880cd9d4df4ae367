#include "bind/bind.hpp"
#include "microaggregation/spanning_tree.hpp"

namespace shoal {

using namespace nb::literals;

void bind_spanning_tree(nb::module_& m) {
    nb::class_<SpanningTree>(m, "SpanningTree", "The shortest tree through all records, a few records at a time.")
        .def(
            "__init__", [](SpanningTree* self, InMatrix X) { new (self) SpanningTree(view(X)); }, "X"_a.noconvert())
        .def("step", &SpanningTree::step, "n_records"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Adds up to n_records more; returns how many are left.")
        .def(
            "parts",
            [](const SpanningTree& self, index_t k) {
                return to_numpy(without_gil([&] { return cut_longest_edges(self, k); }), {self.parent().size()});
            },
            "k"_a, "Group of every record, cut at the longest edges that leave k records on both sides.");
}

}  // namespace shoal
