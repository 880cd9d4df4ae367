#include "bind/bind.hpp"
#include "microaggregation/vmdav.hpp"

namespace shoal {

using namespace nb::literals;

void bind_vmdav(nb::module_& m) {
    nb::class_<Vmdav>(m, "Vmdav", "V-MDAV, a few groups at a time.")
        .def(
            "__init__",
            [](Vmdav* self, InMatrix X, index_t k, double gain, NeighborSearch search) {
                new (self) Vmdav(view(X), k, gain, search);
            },
            "X"_a.noconvert(), "k"_a, "gain"_a, "search"_a, nb::keep_alive<1, 2>(), "gain is on squared distances.")
        .def("step", &Vmdav::step, "n_groups"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Form up to n_groups more groups; returns how many records have none. Below k, the work is done.")
        .def(
            "labels", [](const Vmdav& self) { return to_numpy(self.labels(), {self.labels().size()}); },
            "Group of every record, -1 while it has none.");
}

}  // namespace shoal
