#include "bind.hpp"
#include "vmdav.hpp"

namespace shoal {

using namespace nb::literals;

namespace {

// The kernel reads X in place, so it travels with what owns it.
struct OwnedVmdav {
    InMatrix X;
    Vmdav state;
};

}  // namespace

void bind_vmdav(nb::module_& m) {
    nb::class_<OwnedVmdav>(m, "Vmdav", "V-MDAV, a few groups at a time.")
        .def("__init__",
             [](OwnedVmdav* self, InMatrix X, index_t k, double gain, const char* search) {
                 const Search how = search_named(search);
                 new (self) OwnedVmdav{X, without_gil([&] { return Vmdav(view(X), k, gain, how); })};
             },
             "X"_a.noconvert(), "k"_a, "gain"_a, "search"_a = "probe",
             "gain is on squared distances; search is probe, scan or tree and changes no group.")
        .def("step", [](OwnedVmdav& self, index_t n_groups) {
            return without_gil([&] { return self.state.step(n_groups); });
        }, "n_groups"_a, "Form up to n_groups more groups; returns how many records have none. Below k, the work is done.")
        .def("labels", [](const OwnedVmdav& self) {
            return to_numpy(self.state.labels(), {self.state.labels().size()});
        }, "Group of every record, -1 while it has none.");
}

}  // namespace shoal
