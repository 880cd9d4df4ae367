#include "bind/bind.hpp"
#include "microaggregation/mdav.hpp"

namespace shoal {

using namespace nb::literals;

void bind_mdav(nb::module_& m) {
    nb::class_<Mdav>(m, "Mdav", "MDAV, a few groups at a time.")
        .def(
            "__init__",
            [](Mdav* self, InMatrix X, InLabels members, index_t k, NeighborSearch search) {
                without_gil([&] { new (self) Mdav(view(X), members.data(), k, search); });
            },
            "X"_a.noconvert(), "members"_a.noconvert(), "k"_a, "search"_a, nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 3>())
        .def("step", &Mdav::step, "n_groups"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Form at least n_groups more groups; returns how many units still have none.")
        .def(
            "labels", [](const Mdav& self) { return to_numpy(self.labels(), {self.labels().size()}); },
            "Group of every unit, -1 while it has none.");
}

}  // namespace shoal
