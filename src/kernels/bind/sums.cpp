#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.hpp"
#include "common/sums.hpp"
#include "microaggregation/controlled_rounding.hpp"

namespace shoal {

using namespace nb::literals;

using SumStates = std::vector<std::pair<int, std::vector<std::int64_t>>>;

void bind_sums(nb::module_& m) {
    nb::class_<ExactSums>(m, "ExactSums", "Sums of columns whose records come piece by piece, exact and order-free.")
        .def(nb::init<index_t>(), "d"_a)
        .def(
            "add", [](ExactSums& self, InMatrix X) { without_gil([&] { self.add(view(X)); }); }, "X"_a.noconvert())
        .def(
            "add_squares",
            [](ExactSums& self, InMatrix X, InVector center) {
                without_gil([&] { self.add_squares(view(X), center.data()); });
            },
            "X"_a.noconvert(), "center"_a.noconvert(), "Squared differences from the center.")
        .def("values",
             [](const ExactSums& self) {
                 auto values = self.values();
                 const std::size_t d = values.size();
                 return to_numpy(std::move(values), {d});
             })
        .def(
            "__add__",
            [](const ExactSums& self, const ExactSums& other) {
                ExactSums both = self;
                both.add(other);
                return both;
            },
            "other"_a)
        .def("__getstate__",
             [](const ExactSums& self) {
                 SumStates states;
                 for (const ExactSum& sum : self.sums()) states.push_back(sum.state());
                 return states;
             })
        .def("__setstate__", [](ExactSums& self, const SumStates& states) {
            std::vector<ExactSum> sums(states.size());
            for (std::size_t at = 0; at < states.size(); ++at) sums[at].add_digits(states[at].first, states[at].second);
            new (&self) ExactSums(std::move(sums));
        });
    m.def(
        "column_ranges",
        [](InMatrix X) { return to_numpy(without_gil([&] { return column_ranges(view(X)); }), {2, X.shape(1)}); },
        "X"_a.noconvert(), "Least and largest value of every column, (2, d); infinite where not all are finite.");

    m.def(
        "order_by_label",
        [](InLabels labels, index_t n_groups) {
            const auto n = static_cast<index_t>(labels.shape(0));
            return to_numpy(without_gil([&] { return order_by_label(labels.data(), n, n_groups); }), {labels.shape(0)});
        },
        "labels"_a.noconvert(), "n_groups"_a, "Records by their label, ascending within a label.");

    m.def(
        "column_sums",
        [](InMatrix X) { return to_numpy(without_gil([&] { return column_sums(view(X)); }), {X.shape(1)}); },
        "X"_a.noconvert(), "Sum of every column, exact and order-free.");

    m.def(
        "column_squares",
        [](InMatrix X, InVector center) {
            return to_numpy(without_gil([&] { return column_squares(view(X), center.data()); }), {X.shape(1)});
        },
        "X"_a.noconvert(), "center"_a.noconvert(), "Sum of squared differences from the center, for every column.");

    m.def(
        "group_sums",
        [](InMatrix X, InLabels labels, index_t n_groups) {
            return to_numpy(without_gil([&] { return group_sums(view(X), labels.data(), n_groups); }),
                            {static_cast<std::size_t>(n_groups), X.shape(1)});
        },
        "X"_a.noconvert(), "labels"_a.noconvert(), "n_groups"_a,
        "Sum of every group, (n_groups, d), exact and order-free.");

    m.def(
        "within_groups_sse",
        [](InMatrix X, InLabels labels, index_t n_groups) {
            return without_gil([&] { return within_groups_sse(view(X), labels.data(), n_groups); });
        },
        "X"_a.noconvert(), "labels"_a.noconvert(), "n_groups"_a, "Sum of squared distances to the group means.");

    m.def(
        "within_groups_sse_of_codes",
        [](InMatrix cells, InVector heights, InLabels labels, index_t n_groups) {
            return without_gil([&] { return within_groups_sse(view(cells), heights.data(), labels.data(), n_groups); });
        },
        "cells"_a.noconvert(), "heights"_a.noconvert(), "labels"_a.noconvert(), "n_groups"_a,
        "The same where columns with a height are codes of one-hot coordinates.");

    m.def(
        "rounded_up",
        [](InVector rests, InVector sizes, InVector draws) {
            const auto n = static_cast<index_t>(rests.shape(0));
            return to_numpy(without_gil([&] { return rounded_up(rests.data(), sizes.data(), draws.data(), n); }),
                            {rests.shape(0)});
        },
        "rests"_a.noconvert(), "sizes"_a.noconvert(), "draws"_a.noconvert(),
        "1 for numbers that go to the step above, 0 below, so that the total of steps moves by less than the largest.");
}

}  // namespace shoal
