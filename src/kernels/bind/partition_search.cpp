#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>

#include "bind/bind.hpp"
#include "generalization/partition_search.hpp"

namespace shoal {

using namespace nb::literals;

namespace {

void make_search(PartitionSearch* self, InLabels columns, InLabels lines, SearchKey key, OwnKey own,
                 double approximation, bool ties) {
    const auto n_splits = static_cast<index_t>(columns.size());
    if (n_splits > max_splits) throw std::invalid_argument("too many splits");
    new (self) PartitionSearch(SplitSequence(columns.data(), lines.data(), n_splits),
                               {.key = key, .own = std::move(own), .approximation = approximation, .ties = ties});
}

}  // namespace

void bind_partition_search(nb::module_& m) {
    m.attr("MAX_SPLITS") = max_splits;
    nb::enum_<SearchKey>(m, "SearchKey")
        .value("bound", SearchKey::bound)
        .value("cost", SearchKey::cost)
        .value("ratio", SearchKey::ratio)
        .value("own", SearchKey::own);

    nb::class_<PartitionSearch>(m, "PartitionSearch", "Partitions of a space, the most promising first, each once.")
        .def("__init__", &make_search, "columns"_a.noconvert(), "lines"_a.noconvert(), "key"_a, "own"_a.none(),
             "approximation"_a, "ties"_a, "Splits in their order; lines is -1 for those of taxonomies.")
        .def(
            "enter",
            [](PartitionSearch& self, index_t box, double cost, double floor, InLabels splits, InLabels begin,
               InLabels parts, InVector costs, InVector floors) {
                self.enter(box, {.cost = cost,
                                 .floor = floor,
                                 .splits = copied(splits),
                                 .begin = copied(begin),
                                 .parts = copied(parts),
                                 .costs = copied(costs),
                                 .floors = copied(floors)});
            },
            nb::kw_only(), "box"_a, "cost"_a, "floor"_a, "splits"_a.noconvert(), "begin"_a.noconvert(),
            "parts"_a.noconvert(), "costs"_a.noconvert(), "floors"_a.noconvert(),
            "A box, its cost as a block, the least cost of its divisions; its splits and what all parts of each cost, "
            "at "
            "least and as blocks.")
        .def("start", &PartitionSearch::start, "With box 0 as the only block.")
        .def("start_below", &PartitionSearch::start_below, "cost"_a,
             "A partition of this cost is known from elsewhere.")
        .def("step", &PartitionSearch::step, "n_nodes"_a, "max_size"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Evaluates the children of up to n_nodes partitions; returns the boxes that must be entered before it can "
             "go on.")
        .def("keep_promising", &PartitionSearch::keep_promising)
        .def("drop", &PartitionSearch::drop, "n_kept"_a)
        .def("first", &PartitionSearch::first, "n"_a, "The trees of the n most promising partitions.")
        .def_prop_ro("n_waiting", &PartitionSearch::n_waiting)
        .def_prop_ro("n_nodes", &PartitionSearch::n_nodes)
        .def_prop_ro("n_dropped", &PartitionSearch::n_dropped)
        .def_prop_ro("cost", &PartitionSearch::cost)
        .def_prop_ro("lower_bound", &PartitionSearch::lower_bound)
        .def_prop_ro("least_left_out", &PartitionSearch::least_left_out)
        .def_prop_ro(
            "best",
            [](const PartitionSearch& self) {
                return self.has_best() ? std::optional<PartitionTree>(self.best()) : std::nullopt;
            },
            "Its tree; None where the best partition came from elsewhere.")
        .def_prop_ro("optima", &PartitionSearch::optima, "The trees of all partitions that cost the least.");
}

}  // namespace shoal
