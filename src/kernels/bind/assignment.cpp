#include "linkage/assignment.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bind/bind.hpp"
#include "linkage/record_pricing.hpp"

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
            "start", [](Assignment& self) { return without_gil([&] { return self.start(hear_signals); }); },
            "Links by an auction over the pairs that were added; returns by how much a link may cost more than the "
            "best one of its person. `settle` mends that. An interrupt is heard in between.")
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

    nb::class_<RecordPricing>(m, "RecordPricing", "The records of least distance minus price for every person.")
        .def(
            "__init__",
            [](RecordPricing* self, const InMatrix& records) {
                without_gil([&] { return new (self) RecordPricing(view(records)); });
            },
            "records"_a.noconvert())
        .def(
            "below",
            [](const RecordPricing& self, const InMatrix& persons, const InVector& prices, const InVector& limits,
               index_t n_wanted) {
                CheapPairs pairs =
                    without_gil([&] { return self.below(view(persons), prices.data(), limits.data(), n_wanted); });
                const std::size_t n = pairs.persons.size();
                return std::make_tuple(to_numpy(std::move(pairs.persons), {n}), to_numpy(std::move(pairs.records), {n}),
                                       to_numpy(std::move(pairs.distances), {n}));
            },
            "persons"_a.noconvert(), "prices"_a.noconvert(), "limits"_a.noconvert(), "n_wanted"_a,
            "Of every person up to n_wanted pairs whose distance minus price is below their limit: (persons, records, "
            "distances).");
}

}  // namespace shoal
