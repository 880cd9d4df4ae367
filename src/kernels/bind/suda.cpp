#include "bind/bind.hpp"
#include "linkage/suda.hpp"

namespace shoal {

using namespace nb::literals;

namespace {

struct BoundSuda {
    std::size_t n, d, max_size;
    Suda state;
};

}  // namespace

void bind_suda(nb::module_& m) {
    nb::class_<BoundSuda>(m, "Suda", "Minimal sample uniques, a few items at a time.")
        .def(
            "__init__",
            [](BoundSuda* self, InTable codes, InLabels n_values, index_t max_size) {
                const std::size_t n = codes.shape(0), d = codes.shape(1);
                new (self) BoundSuda{n, d, static_cast<std::size_t>(max_size), without_gil([&] {
                                         return Suda(codes.data(), static_cast<index_t>(n), static_cast<index_t>(d),
                                                     n_values.data(), max_size);
                                     })};
            },
            "codes"_a.noconvert(), "n_values"_a.noconvert(), "max_size"_a)
        .def(
            "step",
            [](BoundSuda& self, index_t n_items) { return without_gil([&] { return self.state.step(n_items); }); },
            "n_items"_a, "Examines up to n_items more values; returns how many are left.")
        .def_prop_ro("n_items", [](const BoundSuda& self) { return self.state.n_items(); })
        .def(
            "by_record",
            [](const BoundSuda& self) { return to_numpy(self.state.by_record(), {self.n, self.max_size}); },
            "Unique sets of 1, 2, ... columns of every record.")
        .def(
            "by_column",
            [](const BoundSuda& self) { return to_numpy(self.state.by_column(), {self.d, self.max_size}); },
            "Unique sets of 1, 2, ... columns that a column is part of.");
}

}  // namespace shoal
