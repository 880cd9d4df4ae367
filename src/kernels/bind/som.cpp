#include <nanobind/stl/pair.h>

#include "bind/bind.hpp"
#include "blocking/candidates.hpp"
#include "blocking/kohonen.hpp"
#include "blocking/unit_tree.hpp"
#include "common/linear_algebra.hpp"

namespace shoal {

using namespace nb::literals;
using InLists = nb::ndarray<const index_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using InTables = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

void bind_som(nb::module_& m) {
    nb::class_<UnitTree>(m, "UnitTree", "A k-d tree over the units of a map.")
        .def(
            "__init__", [](UnitTree* self, InMatrix units) { new (self) UnitTree(view(units)); }, "units"_a.noconvert())
        .def(
            "nearest",
            [](const UnitTree& self, InMatrix X, InLabels hints) {
                return to_numpy(without_gil([&] { return self.nearest(view(X), hints.data()); }), {X.shape(0)});
            },
            "X"_a.noconvert(), "hints"_a.noconvert(),
            "The unit nearest to each record, the lower on ties. Hints change the time, never the unit.")
        .def(
            "nearest_but",
            [](const UnitTree& self, InMatrix X, InLabels excluded) {
                return to_numpy(without_gil([&] { return self.nearest_but(view(X), excluded.data()); }), {X.shape(0)});
            },
            "X"_a.noconvert(), "excluded"_a.noconvert(), "The same with one unit excluded.");

    m.def(
        "nearest_among",
        [](InMatrix X, InMatrix units, InLists candidates, InLabels lists) {
            const auto width = static_cast<index_t>(candidates.shape(1));
            auto found = without_gil(
                [&] { return nearest_among(view(X), view(units), candidates.data(), width, lists.data()); });
            return to_numpy(std::move(found), {X.shape(0)});
        },
        "X"_a.noconvert(), "units"_a.noconvert(), "candidates"_a.noconvert(), "lists"_a.noconvert(),
        "The nearest unit of each record in its list of candidates, the first on ties.");

    m.def(
        "ordered_product",
        [](InMatrix A, InMatrix B) {
            return to_numpy(without_gil([&] { return ordered_product(view(A), view(B)); }), {A.shape(0), B.shape(1)});
        },
        "A"_a.noconvert(), "B"_a.noconvert(), "A B, every sum from the first term to the last.");

    m.def(
        "symmetric_eigen",
        [](InMatrix A) {
            Eigen found = without_gil([&] { return symmetric_eigen(view(A)); });
            return std::pair(to_numpy(std::move(found.values), {A.shape(0)}),
                             to_numpy(std::move(found.vectors), {A.shape(0), A.shape(0)}));
        },
        "A"_a.noconvert(), "Eigenvalues, largest first, and eigenvectors, one in every row.");

    m.def(
        "kohonen_steps",
        [](InMatrix units, InMatrix X, InMatrix rows, InTables columns, bool is_hexagonal, double rate) {
            const Neighborhood neighborhood{rows.data(), columns.data(), static_cast<index_t>(rows.shape(0)),
                                            static_cast<index_t>(columns.shape(1)), is_hexagonal};
            return to_numpy(without_gil([&] { return kohonen_steps(view(units), view(X), neighborhood, rate); }),
                            {units.shape(0), units.shape(1)});
        },
        "units"_a.noconvert(), "X"_a.noconvert(), "rows"_a.noconvert(), "columns"_a.noconvert(), "is_hexagonal"_a,
        "rate"_a, "The units after sequential training on every record in turn.");
}

}  // namespace shoal
