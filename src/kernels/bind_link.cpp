#include <nanobind/stl/pair.h>

#include "bind.hpp"
#include "link_runs.hpp"
#include "link_tree.hpp"

namespace shoal {

using namespace nb::literals;

namespace {

// (n, 4): nearest candidate, how many as near, closer than the true one, as near as the true one; and (n,) the measure.
auto as_arrays(const std::vector<LinkTally>& tallies) {
    std::vector<index_t> counts;
    std::vector<double> nearest;
    counts.reserve(4 * tallies.size());
    nearest.reserve(tallies.size());
    for (const LinkTally& tally : tallies) {
        counts.insert(counts.end(), {tally.record, tally.n_nearest, tally.n_closer, tally.n_as_near});
        nearest.push_back(tally.nearest);
    }
    const std::size_t n = tallies.size();
    return std::pair(to_numpy(std::move(counts), {n, std::size_t{4}}), to_numpy(std::move(nearest), {n}));
}

// Tallies that grow with every pair looked at, for measures that no tree can search.
struct LinkPairs {
    std::vector<LinkTally> tallies;

    explicit LinkPairs(const InVector& to_truth) : tallies(to_truth.shape(0)) {
        for (std::size_t i = 0; i < tallies.size(); ++i) tallies[i].to_truth = to_truth.data()[i];
    }

    void consider(const InLabels& records, const InLabels& candidates, const InVector& measures) {
        for (std::size_t p = 0; p < records.shape(0); ++p)
            tallies[records.data()[p]].consider(measures.data()[p], candidates.data()[p], 1);
    }
};

}  // namespace

void bind_link(nb::module_& m) {
    nb::class_<LinkTree>(m, "LinkTree", "A k-d tree over the records of one file, to link those of another.")
        .def("__init__", [](LinkTree* self, InMatrix candidates) { new (self) LinkTree(view(candidates)); },
             "candidates"_a.noconvert())
        .def("tally", [](const LinkTree& self, InMatrix records, InLabels truth, index_t n_wanted) {
            return as_arrays(without_gil([&] { return self.tally(view(records), truth.data(), n_wanted); }));
        }, "records"_a.noconvert(), "truth"_a.noconvert(), "n_wanted"_a,
             "Per record: (nearest, as near, closer than the true one, as near as it), and the squared distance.");

    nb::class_<LinkRuns>(m, "LinkRuns", "The records of one file in an order, to link those of another to runs of it.")
        .def("__init__", [](LinkRuns* self, InMatrix candidates, InLabels order) {
            new (self) LinkRuns(view(candidates), order.data());
        }, "candidates"_a.noconvert(), "order"_a.noconvert())
        .def("tally", [](const LinkRuns& self, InMatrix records, InLabels begin, InLabels end, InLabels truth, index_t n_wanted) {
            return as_arrays(without_gil([&] {
                return self.tally(view(records), begin.data(), end.data(), truth.data(), n_wanted);
            }));
        }, "records"_a.noconvert(), "begin"_a.noconvert(), "end"_a.noconvert(), "truth"_a.noconvert(), "n_wanted"_a,
             "As LinkTree.tally, over the places begin .. end - 1 of the order for every record.");

    nb::class_<LinkPairs>(m, "LinkPairs", "Tallies that grow pair by pair; lower measures are nearer.")
        .def("__init__", [](LinkPairs* self, InVector to_truth) { new (self) LinkPairs(to_truth); }, "to_truth"_a.noconvert())
        .def("consider", [](LinkPairs& self, InLabels records, InLabels candidates, InVector measures) {
            without_gil([&] { self.consider(records, candidates, measures); });
        }, "records"_a.noconvert(), "candidates"_a.noconvert(), "measures"_a.noconvert())
        .def("tally", [](const LinkPairs& self) { return as_arrays(self.tallies); });
}

}  // namespace shoal
