#include "linkage/unique_rows.hpp"

#include "bind/bind.hpp"

namespace shoal {

using namespace nb::literals;

using InColumns = nb::ndarray<const index_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using InMask = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void bind_unique_rows(nb::module_& m) {
    nb::class_<UniqueRows>(m, "UniqueRows", "Rows that some columns single out: no other unit has their codes.")
        .def(
            "__init__",
            [](UniqueRows* self, InColumns codes, InLabels n_values, InLabels units) {
                new (self) UniqueRows(codes.data(), static_cast<index_t>(codes.shape(0)),
                                      static_cast<index_t>(codes.shape(1)), n_values.data(), units.data());
            },
            "codes"_a.noconvert(), "n_values"_a.noconvert(), "units"_a.noconvert())
        .def(
            "find",
            [](UniqueRows& self, InLabels columns, InMask skipped) {
                std::vector<index_t> found = without_gil([&] {
                    return self.find(columns.data(), static_cast<index_t>(columns.size()),
                                     reinterpret_cast<const std::uint8_t*>(skipped.data()));
                });
                const std::size_t n_found = found.size();
                return to_numpy(std::move(found), {n_found});
            },
            "columns"_a.noconvert(), "skipped"_a.noconvert(),
            "Rows that the columns single out among the rows that are not skipped.");
}

}  // namespace shoal
