#include "linkage/assignment.hpp"

#include "bind/bind.hpp"

namespace shoal {

using namespace nb::literals;

void bind_assignment(nb::module_& m) {
    nb::class_<Assignment>(m, "Assignment", "One-to-one links of least cost over pairs that are added step by step.")
        .def(
            "__init__",
            [](Assignment* self, index_t n_persons, const InLabels& copies, double unlinked) {
                new (self) Assignment(n_persons, copied(copies), unlinked);
            },
            "n_persons"_a, "copies"_a.noconvert(), "unlinked"_a)
        .def(
            "add",
            [](Assignment& self, const InLabels& persons, const InLabels& records, const InVector& costs) {
                for (std::size_t p = 0; p < persons.shape(0); ++p)
                    self.add(persons.data()[p], records.data()[p], costs.data()[p]);
            },
            "persons"_a.noconvert(), "records"_a.noconvert(), "costs"_a.noconvert())
        .def(
            "settle",
            [](Assignment& self, index_t first, index_t last) { without_gil([&] { self.settle(first, last); }); },
            "first"_a, "last"_a, "Restores the optimum for the pairs of the persons first .. last - 1.")
        .def("records",
             [](const Assignment& self) {
                 return to_numpy(std::vector<index_t>(self.records()), {self.records().size()});
             })
        .def("prices", [](const Assignment& self) {
            std::vector<double> prices = self.prices();
            const std::size_t n = prices.size();
            return to_numpy(std::move(prices), {n});
        });
}

}  // namespace shoal
