#include "bind/bind.hpp"
#include "generalization/local_suppression.hpp"
#include "generalization/wildcard.hpp"

namespace shoal {

using namespace nb::literals;

namespace {

using InKeys = nb::ndarray<const std::uint64_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using InPatterns = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

static_assert(sizeof(PackedKey) == 2 * sizeof(std::uint64_t));

const PackedKey* keys_of(const InKeys& packed) { return reinterpret_cast<const PackedKey*>(packed.data()); }

Combinations view(const InKeys& keys, const InLabels& counts, const InKeys& fields, const InVector& weights) {
    return {.keys = keys_of(keys),
            .counts = counts.data(),
            .units = nullptr,
            .n = static_cast<index_t>(keys.shape(0)),
            .fields = keys_of(fields),
            .weights = weights.data(),
            .q = static_cast<index_t>(fields.shape(0))};
}

template <class Value, class Get>
auto of_parts(const LocalSuppression& self, Get get) {
    std::vector<Value> values;
    for (const auto& part : self.parts()) values.push_back(get(part));
    const std::size_t n = values.size();
    return to_numpy(std::move(values), {n});
}

}  // namespace

void bind_local_suppression(nb::module_& m) {
    nb::class_<LocalSuppression>(m, "LocalSuppression",
                                 "Local suppression where a blank equals only a blank, a few offers at a time.")
        .def(
            "__init__",
            [](LocalSuppression* self, InKeys keys, InLabels counts, InKeys fields, InVector weights,
               InPatterns patterns, index_t k, InLabels units) {
                Combinations combinations = view(keys, counts, fields, weights);
                combinations.units = units.data();
                new (self) LocalSuppression(combinations, copied(patterns), k);
            },
            "keys"_a.noconvert(), "counts"_a.noconvert(), "fields"_a.noconvert(), "weights"_a.noconvert(),
            "patterns"_a.noconvert(), "k"_a, "units"_a.noconvert(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
            nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>(), nb::keep_alive<1, 8>())
        .def("step", &LocalSuppression::step, "n"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Tries n more offers; returns how many are left.")
        .def("improve", &LocalSuppression::improve, nb::call_guard<nb::gil_scoped_release>(),
             "Moves records where fewer cells are blank; returns whether anything changed.")
        .def("regroup", &LocalSuppression::regroup, nb::call_guard<nb::gil_scoped_release>(),
             "Forms new classes of records that others can spare; returns whether anything changed.")
        .def(
            "rows",
            [](const LocalSuppression& self) {
                return of_parts<index_t>(self, [](const auto& part) { return part.combination; });
            },
            "The combination of every part.")
        .def(
            "patterns",
            [](const LocalSuppression& self) {
                return of_parts<Columns>(self, [](const auto& part) { return part.blanked; });
            },
            "The columns that are blank in every part.")
        .def(
            "records",
            [](const LocalSuppression& self) {
                return of_parts<index_t>(self, [](const auto& part) { return part.n; });
            },
            "The records of every part.");

    m.def(
        "wildcard_blanks",
        [](InKeys keys, InLabels counts, InKeys fields, InVector weights, InPatterns patterns, index_t k) {
            return to_numpy(
                without_gil([&] { return wildcard_blanks(view(keys, counts, fields, weights), copied(patterns), k); }),
                {keys.shape(0)});
        },
        "keys"_a.noconvert(), "counts"_a.noconvert(), "fields"_a.noconvert(), "weights"_a.noconvert(),
        "patterns"_a.noconvert(), "k"_a, "The columns to blank in every combination, where a blank matches all.");
}

}  // namespace shoal
