#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bind/bind.hpp"
#include "microaggregation/pricing.hpp"

namespace shoal {

using namespace nb::literals;

void bind_pricing(nb::module_& m) {
    nb::class_<Pricer>(m, "Pricer", "Exact pricing of groups, from the distances between all records.")
        .def(
            "__init__", [](Pricer* self, InMatrix X) { without_gil([&] { return new (self) Pricer(view(X)); }); },
            "X"_a.noconvert())
        .def_prop_ro("n", &Pricer::n)
        .def(
            "price",
            [](const Pricer& self, InVector duals, index_t size, double threshold, index_t first, index_t last,
               index_t max_groups, index_t max_nodes) {
                const PricingQuery query{.duals = duals.data(),
                                         .size = size,
                                         .threshold = threshold,
                                         .first = first,
                                         .last = last,
                                         .max_groups = max_groups,
                                         .max_nodes = max_nodes};
                PricingResult found = without_gil([&] { return self.price(query); });
                const std::size_t n_groups = found.reduced_costs.size(), n = found.least.size();
                return std::make_tuple(to_numpy(std::move(found.groups), {n_groups, static_cast<std::size_t>(size)}),
                                       to_numpy(std::move(found.reduced_costs), {n_groups}),
                                       to_numpy(std::move(found.least), {n}), found.n_found, found.complete);
            },
            nb::kw_only(), "duals"_a.noconvert(), "size"_a, "threshold"_a, "first"_a, "last"_a, "max_groups"_a,
            "max_nodes"_a,
            "Groups of a size with a reduced cost below the threshold that grow from the records first .. last - 1: "
            "(groups, reduced costs, least reduced cost / size of every record, how many there are, whether sure).");
}

}  // namespace shoal
