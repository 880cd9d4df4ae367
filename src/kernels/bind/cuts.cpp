#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bind/bind.hpp"
#include "bind/user_rule.hpp"
#include "generalization/cut_tree.hpp"
#include "generalization/mondrian.hpp"

namespace shoal {

using namespace nb::literals;

namespace {

void make_attribute(Attribute* self, InLabels start, InLabels stop, InLabels rule, InLabels first_child,
                    InLabels n_children, InVector width, InVector low, InVector high, double spread, double weight) {
    std::vector<Rule> rules;
    for (std::size_t i = 0; i < rule.size(); ++i) rules.push_back(static_cast<Rule>(rule.data()[i]));
    new (self) Attribute{.start = copied(start),
                         .stop = copied(stop),
                         .first_child = copied(first_child),
                         .n_children = copied(n_children),
                         .rule = std::move(rules),
                         .width = copied(width),
                         .low = copied(low),
                         .high = copied(high),
                         .spread = spread,
                         .weight = weight};
}

auto numbers(std::vector<index_t> values) {
    const std::size_t n = values.size();
    return to_numpy(std::move(values), {n});
}

auto table(std::vector<index_t> values, std::size_t columns) {
    const std::size_t n = values.size() / columns;
    return to_numpy(std::move(values), {n, columns});
}

}  // namespace

void bind_cuts(nb::module_& m) {
    m.def(
        "assign_blocks",
        [](InTable codes, InLabels column, InLabels begin, InLabels start, InLabels child, InLabels block) {
            const CutNodes tree{column.data(), begin.data(), start.data(), child.data(), block.data()};
            const auto n = static_cast<index_t>(codes.shape(0)), d = static_cast<index_t>(codes.shape(1));
            return numbers(without_gil([&] { return assign_blocks(codes.data(), n, d, tree); }));
        },
        "codes"_a.noconvert(), "column"_a.noconvert(), "begin"_a.noconvert(), "start"_a.noconvert(),
        "child"_a.noconvert(), "block"_a.noconvert(), "Block of every record, walking down the tree.");

    m.def(
        "node_parts",
        [](InLabels parents, InLabels cut_on, InLabels part_of, index_t n_columns) {
            const auto n = static_cast<index_t>(parents.size());
            return to_numpy(node_parts(parents.data(), cut_on.data(), part_of.data(), n, n_columns),
                            {parents.size(), static_cast<std::size_t>(n_columns)});
        },
        "parents"_a.noconvert(), "cut_on"_a.noconvert(), "part_of"_a.noconvert(), "n_columns"_a,
        "The part of every column that a node covers, (n_nodes, n_columns); 0 where it was never cut.");

    nb::enum_<CutChoice>(m, "CutChoice")
        .value("median", CutChoice::median)
        .value("halves", CutChoice::halves)
        .value("least_loss", CutChoice::least_loss);
    nb::enum_<LossKind>(m, "LossKind")
        .value("discernibility", LossKind::discernibility)
        .value("classification", LossKind::classification)
        .value("volume", LossKind::volume)
        .value("certainty", LossKind::certainty)
        .value("user", LossKind::user);

    nb::class_<Attribute>(m, "Attribute", "A quasi-identifier as nodes and their splits.")
        .def("__init__", &make_attribute, nb::kw_only(), "start"_a, "stop"_a, "rule"_a, "first_child"_a, "n_children"_a,
             "width"_a, "low"_a, "high"_a, "spread"_a, "weight"_a = 1.0);

    nb::class_<Mondrian>(m, "Mondrian", "Blocks that are cut recursively; Python decides which cuts are allowed.")
        .def(
            "__init__",
            [](Mondrian* self, const std::vector<Attribute>& attributes, InTable codes, InLabels n, InLabels classes,
               index_t n_classes, CutChoice choice, LossKind loss, index_t least,
               std::optional<RuleFunction> user_loss) {
                const CodedRows rows{.codes = codes.data(),
                                     .n = n.data(),
                                     .classes = classes.data(),
                                     .n_rows = static_cast<index_t>(codes.shape(0)),
                                     .d = static_cast<index_t>(codes.shape(1)),
                                     .n_classes = n_classes};
                new (self) Mondrian(attributes, rows, choice, loss, least, user_loss ? user_rule(*user_loss) : nullptr);
            },
            nb::kw_only(), "attributes"_a, "codes"_a.noconvert(), "n"_a.noconvert(), "classes"_a.noconvert(),
            "n_classes"_a, "choice"_a, "loss"_a, "least"_a, "user_loss"_a = nb::none(), nb::keep_alive<1, 3>(),
            nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>(), "classes is read only where n_classes is above 0.")
        .def("propose", &Mondrian::propose, nb::call_guard<nb::gil_scoped_release>(),
             "The next cut of every open block; returns how many there are.")
        .def(
            "child_totals", [](const Mondrian& self) { return numbers(self.child_totals()); },
            "Records of every part of a proposed cut that has any: a child.")
        .def(
            "child_proposals", [](const Mondrian& self) { return numbers(self.child_proposals()); },
            "The proposal of every child.")
        .def(
            "child_parts", [](const Mondrian& self, index_t column) { return table(self.child_parts(column), 3); },
            "column"_a, "Start, stop and node of every child on a column.")
        .def(
            "rows", [](const Mondrian& self) { return numbers(self.rows()); }, "Rows of all proposals.")
        .def(
            "row_children", [](const Mondrian& self) { return numbers(self.row_children()); }, "The child of each.")
        .def(
            "take",
            [](Mondrian& self, InLabels allowed) {
                without_gil([&] {
                    self.take(allowed.data());
                    return 0;
                });
            },
            "allowed"_a.noconvert(), "Applies the cuts whose proposal is marked by 1.")
        .def(
            "nodes", [](const Mondrian& self) { return table(self.nodes(), 5); },
            "In preorder: parent, column, start, stop, node of the attribute.")
        .def(
            "subsets", [](const Mondrian& self) { return table(self.subsets(), 2); },
            "Node in preorder and code, for nodes that are subsets.")
        .def(
            "labels", [](const Mondrian& self) { return numbers(self.labels()); },
            "The node in preorder that every row ends in.");
}

}  // namespace shoal
