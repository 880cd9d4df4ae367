#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bind/bind.hpp"
#include "blocking/cells.hpp"

namespace shoal {

using namespace nb::literals;

using InCellKeys = nb::ndarray<const word_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

namespace {

// (keys, counts, sums), cells by their keys.
auto cells_of(const CellCounter& counter) {
    const auto n = static_cast<std::size_t>(counter.n_cells());
    const auto n_words = static_cast<std::size_t>(counter.n_words());
    const std::vector<index_t> order = without_gil([&] { return counter.order(); });
    const auto d = static_cast<std::size_t>(counter.n_columns());
    return std::make_tuple(to_numpy(counter.keys(order), {n, n_words}), to_numpy(counter.counts(order), {n}),
                           to_numpy(counter.sums(order), {n, d}));
}

}  // namespace

void bind_cells(nb::module_& m) {
    nb::class_<CellCounter>(m, "CellCounter", "Counts records by the cell of a halved space, batch by batch.")
        .def(
            "__init__",
            [](CellCounter* self, InVector lower, InVector upper, InLabels dimensions, InCellKeys open,
               index_t open_bits, index_t n_bits) {
                new (self) CellCounter({.lower = copied(lower),
                                        .upper = copied(upper),
                                        .dimensions = copied(dimensions),
                                        .open = copied(open),
                                        .n_open = static_cast<index_t>(open.shape(0)),
                                        .open_bits = open_bits,
                                        .n_bits = n_bits});
            },
            "lower"_a.noconvert(), "upper"_a.noconvert(), "dimensions"_a.noconvert(), "open"_a.noconvert(),
            "open_bits"_a, "n_bits"_a)
        .def(
            "add", [](CellCounter& self, InMatrix X) { without_gil([&] { self.add(view(X)); }); }, "X"_a.noconvert())
        .def("cells", &cells_of, "(keys, counts, sums of positions), by their keys.");

    m.def(
        "find_cells",
        [](InMatrix X, InVector lower, InVector upper, InLabels dimensions, index_t n_bits, InCellKeys starts) {
            const Space space{lower.data(), upper.data(), dimensions.data(), static_cast<index_t>(dimensions.shape(0))};
            const auto n_starts = static_cast<index_t>(starts.shape(0));
            return to_numpy(without_gil([&] { return find_cells(view(X), space, n_bits, starts.data(), n_starts); }),
                            {X.shape(0)});
        },
        "X"_a.noconvert(), "lower"_a.noconvert(), "upper"_a.noconvert(), "dimensions"_a.noconvert(), "n_bits"_a,
        "starts"_a.noconvert(), "The last start that is not above the key of each record, (n,).");
}

}  // namespace shoal
