#include <nanobind/stl/pair.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.hpp"
#include "microaggregation/vmdav.hpp"

namespace shoal {

using namespace nb::literals;

void bind_vmdav(nb::module_& m) {
    nb::class_<Vmdav>(m, "Vmdav", "V-MDAV, a few groups at a time.")
        .def(
            "__init__",
            [](Vmdav* self, InMatrix X, index_t k, double gain, NeighborSearch search) {
                without_gil([&] { new (self) Vmdav(view(X), k, gain, search); });
            },
            "X"_a.noconvert(), "k"_a, "gain"_a, "search"_a, nb::keep_alive<1, 2>(), "gain is on squared distances.")
        .def("step", &Vmdav::step, "n_groups"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Form up to n_groups more groups; returns how many records have none. Below k, the work is done.")
        .def_prop_ro("sse", &Vmdav::sse, "Squared errors of the groups formed so far, in rounded arithmetic.")
        .def(
            "labels", [](const Vmdav& self) { return to_numpy(self.labels(), {self.labels().size()}); },
            "Group of every record, -1 while it has none.")
        .def_prop_ro("same_gains", &Vmdav::same_gains,
                     "First and last place of the gains with which all groups so far would be the same.");

    nb::class_<VmdavRuns>(
        m, "VmdavRuns", "V-MDAV of the same records with one gain after the other, which share searches. Gains ascend.")
        .def(
            "__init__",
            [](VmdavRuns* self, InMatrix X, index_t k, std::vector<double> gains) {
                new (self) VmdavRuns(view(X), k, std::move(gains));
            },
            "X"_a.noconvert(), "k"_a, "gains"_a, nb::keep_alive<1, 2>())
        .def("with_gain", &VmdavRuns::with_gain, "place"_a, "most_sse"_a, nb::keep_alive<0, 1>(),
             "The run with the gain at this place, which ends where its SSE exceeds most_sse.");
}

}  // namespace shoal
