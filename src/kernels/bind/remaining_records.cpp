#include "bind/bind.hpp"
#include "microaggregation/remaining_records.hpp"

namespace shoal {

using namespace nb::literals;

void bind_remaining_records(nb::module_& m) {
    m.def(
        "join_nearest_record",
        [](InMatrix X, InLabels labels) {
            return to_numpy(without_gil([&] { return join_nearest_record(view(X), copied(labels)); }), {X.shape(0)});
        },
        "X"_a.noconvert(), "labels"_a.noconvert(),
        "Records labeled -1 join the group of the nearest record that has one.");

    m.def(
        "join_nearest_centroid",
        [](InMatrix X, InLabels labels, index_t n_groups) {
            return to_numpy(without_gil([&] { return join_nearest_centroid(view(X), copied(labels), n_groups); }),
                            {X.shape(0)});
        },
        "X"_a.noconvert(), "labels"_a.noconvert(), "n_groups"_a,
        "Records labeled -1 join the group with the nearest centroid.");

    m.def(
        "split_large",
        [](InMatrix X, InLabels labels, index_t n_groups, index_t k) {
            return to_numpy(without_gil([&] { return split_large(view(X), copied(labels), n_groups, k); }),
                            {X.shape(0)});
        },
        "X"_a.noconvert(), "labels"_a.noconvert(), "n_groups"_a, "k"_a,
        "Groups of 2k records or more, split by MDAV; new groups are numbered from n_groups on.");
}

}  // namespace shoal
