#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bind/bind.hpp"
#include "bind/user_rule.hpp"
#include "generalization/and_or.hpp"

namespace shoal {

using namespace nb::literals;

void bind_and_or(nb::module_& m) {
    nb::enum_<TestKind>(m, "TestKind")
        .value("distinct", TestKind::distinct)
        .value("entropy", TestKind::entropy)
        .value("recursive", TestKind::recursive)
        .value("share", TestKind::share)
        .value("equal", TestKind::equal)
        .value("ordered", TestKind::ordered)
        .value("tree", TestKind::tree)
        .value("delta", TestKind::delta)
        .value("beta", TestKind::beta)
        .value("enhanced_beta", TestKind::enhanced_beta)
        .value("epsilon", TestKind::epsilon)
        .value("length", TestKind::length)
        .value("user", TestKind::user);

    nb::class_<BlockTest>(m, "BlockTest", "A test on the counts of a block, or on its part of a column.")
        .def(
            "__init__",
            [](BlockTest* self, TestKind kind, double asked, double from, double sigma, index_t first, index_t size,
               std::vector<double> overall, std::vector<index_t> tree, std::vector<double> node_lengths, index_t column,
               index_t total, std::optional<RuleFunction> user) {
                auto answers = user ? std::make_shared<UserAnswers>(user_rule(*user)) : nullptr;
                new (self) BlockTest{.kind = kind,
                                     .asked = asked,
                                     .from = from,
                                     .sigma = sigma,
                                     .first = first,
                                     .size = size,
                                     .overall = std::move(overall),
                                     .tree = std::move(tree),
                                     .node_lengths = std::move(node_lengths),
                                     .column = column,
                                     .total = total,
                                     .user = std::move(answers)};
            },
            nb::kw_only(), "kind"_a, "asked"_a, "since"_a = 0.0, "sigma"_a = 0.0, "first"_a = 0, "size"_a = 0,
            "overall"_a = std::vector<double>(), "tree"_a = std::vector<index_t>(),
            "node_lengths"_a = std::vector<double>(), "column"_a = -1, "total"_a = -1, "user"_a = nb::none());

    nb::class_<AndOr>(m, "AndOr", "Search for the optimal recursive cuts of a box, with bounds on their cost.")
        .def(
            "__init__",
            [](AndOr* self, const std::vector<Attribute>& attributes, const std::vector<BlockTest>& tests,
               std::vector<std::vector<double>> widths, const std::vector<bool>& keeps, LossKind loss, index_t least,
               index_t n_classes, bool empty_blocks, InCells codes, InLabels n, InVector floors, InTable counts,
               std::size_t n_bytes, std::optional<RuleFunction> user_loss, InVector least_of, double suppressed) {
                auto answers = user_loss ? std::make_shared<UserAnswers>(user_rule(*user_loss)) : nullptr;
                const Problem problem{.attributes = attributes,
                                      .tests = tests,
                                      .widths = std::move(widths),
                                      .keeps = keeps,
                                      .loss = loss,
                                      .user_loss = std::move(answers),
                                      .least_of = copied(least_of),
                                      .least = least,
                                      .n_classes = n_classes,
                                      .n_counts = static_cast<index_t>(counts.shape(1)),
                                      .empty_blocks = empty_blocks,
                                      .suppressed = suppressed};
                const CellArrays cells{.codes = codes.data(),
                                       .n = n.data(),
                                       .floors = floors.data(),
                                       .counts = counts.data(),
                                       .n_cells = codes.shape(0)};
                new (self) AndOr(problem, cells, n_bytes);
            },
            nb::kw_only(), "attributes"_a, "tests"_a, "widths"_a, "keeps"_a, "loss"_a, "least"_a, "n_classes"_a,
            "empty_blocks"_a, "codes"_a.noconvert(), "n"_a.noconvert(), "floors"_a.noconvert(), "counts"_a.noconvert(),
            "n_bytes"_a, "user_loss"_a.none(), "least_of"_a.noconvert(), "suppressed"_a)
        .def("plan_proof", &AndOr::plan_proof, nb::call_guard<nb::gil_scoped_release>(),
             "Prepares a round that raises the lower bound; returns the number of its jobs.")
        .def("plan_improvement", &AndOr::plan_improvement, nb::call_guard<nb::gil_scoped_release>(),
             "Prepares a round that lowers the upper bound; returns the number of its jobs.")
        .def("run", &AndOr::run, "job"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Runs one job of the round; all of them may run at the same time.")
        .def("merge", &AndOr::merge, nb::call_guard<nb::gil_scoped_release>(), "Ends the round.")
        .def("update_plan", &AndOr::update_plan, nb::call_guard<nb::gil_scoped_release>(),
             "Adds up what is known now of the parts of the best plan.")
        .def("stop", &AndOr::stop, "Called from another thread: the search ends soon.")
        .def("set_upper", &AndOr::set_upper, "cost"_a, "Sets an upper bound: the cost of a known solution.")
        .def(
            "tree",
            [](AndOr& self) {
                auto nodes = without_gil([&] { return self.tree(); });
                const std::size_t n = nodes.size() / 5;
                return to_numpy(std::move(nodes), {n, std::size_t{5}});
            },
            "In preorder: parent, column, start, stop, node of the attribute.")
        .def_prop_ro("lower", &AndOr::lower)
        .def_prop_ro("upper", &AndOr::upper)
        .def_prop_ro("n_nodes", &AndOr::n_nodes)
        .def_prop_ro("small", &AndOr::small)
        .def_prop_ro("is_out_of_memory", &AndOr::is_out_of_memory)
        .def_prop_ro("n_known", [](const AndOr& self) { return self.memory().size(); })
        .def_prop_ro("n_evicted", [](const AndOr& self) { return self.memory().n_evicted(); });
}

}  // namespace shoal
