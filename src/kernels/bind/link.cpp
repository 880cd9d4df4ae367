#include <nanobind/stl/pair.h>

#include "bind/bind.hpp"
#include "linkage/link_runs.hpp"
#include "linkage/link_tree.hpp"

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
        counts.insert(counts.end(), {tally.nearest.record, tally.nearest.count, tally.n_closer, tally.n_as_near});
        nearest.push_back(tally.nearest.measure);
    }
    const std::size_t n = tallies.size();
    return std::pair(to_numpy(std::move(counts), {n, std::size_t{4}}), to_numpy(std::move(nearest), {n}));
}

using InResidues = nb::ndarray<const residue_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Metric metric_of(const InVector& weights, const InResidues& residues) { return {copied(weights), copied(residues)}; }

// Tallies that are updated pair by pair, for measures that no tree can search; equal ones are equal to the bit.
struct LinkPairs {
    std::vector<LinkTally> tallies;

    explicit LinkPairs(const InVector& to_truth) : tallies(to_truth.shape(0)) {
        for (std::size_t i = 0; i < tallies.size(); ++i) tallies[i].to_truth = to_truth.data()[i];
    }

    void consider(const InLabels& records, const InLabels& candidates, const InVector& measures,
                  const InLabels& counts) {
        for (std::size_t p = 0; p < records.shape(0); ++p)
            tallies[records.data()[p]].consider(measures.data()[p], candidates.data()[p], counts.data()[p], 0.0,
                                                [] { return residue_t{0}; });
    }
};

// The same for distances: every pair once, in whatever passes it comes.
struct LinkDistances {
    std::vector<double> A, B;
    Metric metric;
    std::vector<LinkTally> tallies;

    LinkDistances(const InMatrix& records, const InMatrix& candidates, const InLabels& truth, Metric by)
        : A(records.data(), records.data() + records.size()),
          B(candidates.data(), candidates.data() + candidates.size()), metric(std::move(by)),
          tallies(records.shape(0)) {
        for (std::size_t i = 0; i < tallies.size(); ++i)
            if (truth.data()[i] >= 0) {
                tallies[i].to_truth = distance(i, truth.data()[i]);
                tallies[i].fingerprint_of_truth = fingerprint(i, truth.data()[i]);
            }
    }

    void consider(const InLabels& records, const InLabels& candidates) {
        const double slack = metric.slack();
        for (std::size_t p = 0; p < records.shape(0); ++p) {
            const index_t i = records.data()[p], other = candidates.data()[p];
            tallies[i].consider(distance(i, other), other, 1, slack, [&] { return fingerprint(i, other); });
        }
    }

    double distance(index_t i, index_t other) const {
        const index_t d = static_cast<index_t>(metric.weights.size());
        double total = 0.0;
        for (index_t j = 0; j < d; ++j) total += metric.term(j, B[other * d + j] - A[i * d + j]);
        return total;
    }

    residue_t fingerprint(index_t i, index_t other) const {
        const index_t d = static_cast<index_t>(metric.weights.size());
        residue_t total = 0;
        for (index_t j = 0; j < d; ++j) total = plus(total, metric.fingerprint_term(j, B[other * d + j], A[i * d + j]));
        return total;
    }
};

// The sum of the residues of all values, and of their squares.
std::pair<residue_t, residue_t> residue_sums(const InVector& values) {
    residue_t sum = 0, squares = 0;
    for (std::size_t i = 0; i < values.shape(0); ++i) {
        const residue_t value = residue(values.data()[i]);
        sum = plus(sum, value);
        squares = plus(squares, times(value, value));
    }
    return {sum, squares};
}

}  // namespace

void bind_link(nb::module_& m) {
    nb::class_<LinkTree>(m, "LinkTree", "A k-d tree over the records of one file, to link those of another.")
        .def(
            "__init__",
            [](LinkTree* self, InMatrix candidates, InVector weights, InResidues residues, InLabels counts,
               index_t threads) {
                without_gil([&] {
                    new (self) LinkTree(view(candidates), metric_of(weights, residues), counts.data(), threads);
                });
            },
            "candidates"_a.noconvert(), "weights"_a.noconvert(), "residues"_a.noconvert(), "counts"_a.noconvert(),
            "threads"_a = 1, "``counts``: (n,) the records that every candidate stands for.")
        .def(
            "tally",
            [](const LinkTree& self, InMatrix records, InLabels truth, index_t n_wanted) {
                return as_arrays(without_gil([&] { return self.tally(view(records), truth.data(), n_wanted); }));
            },
            "records"_a.noconvert(), "truth"_a.noconvert(), "n_wanted"_a,
            "Per record: (nearest, as near, closer than the true one, as near as it), and the squared distance.");

    nb::class_<LinkRuns>(m, "LinkRuns", "The records of one file in an order, to link those of another to runs of it.")
        .def(
            "__init__",
            [](LinkRuns* self, InMatrix candidates, InVector weights, InResidues residues, InLabels order,
               InLabels counts) {
                new (self) LinkRuns(view(candidates), metric_of(weights, residues), order.data(), counts.data());
            },
            "candidates"_a.noconvert(), "weights"_a.noconvert(), "residues"_a.noconvert(), "order"_a.noconvert(),
            "counts"_a.noconvert())
        .def(
            "tally",
            [](const LinkRuns& self, InMatrix records, InLabels begin, InLabels end, InLabels truth, index_t n_wanted) {
                return as_arrays(without_gil(
                    [&] { return self.tally(view(records), begin.data(), end.data(), truth.data(), n_wanted); }));
            },
            "records"_a.noconvert(), "begin"_a.noconvert(), "end"_a.noconvert(), "truth"_a.noconvert(), "n_wanted"_a,
            "As LinkTree.tally, over the places begin .. end - 1 of the order for every record.");

    nb::class_<LinkPairs>(m, "LinkPairs", "Tallies that grow pair by pair; lower measures are nearer.")
        .def(
            "__init__", [](LinkPairs* self, InVector to_truth) { new (self) LinkPairs(to_truth); },
            "to_truth"_a.noconvert())
        .def(
            "consider",
            [](LinkPairs& self, InLabels records, InLabels candidates, InVector measures, InLabels counts) {
                without_gil([&] { self.consider(records, candidates, measures, counts); });
            },
            "records"_a.noconvert(), "candidates"_a.noconvert(), "measures"_a.noconvert(), "counts"_a.noconvert(),
            "``counts``: (n_pairs,) the records that the candidate of every pair stands for.")
        .def("tally", [](const LinkPairs& self) { return as_arrays(self.tallies); });

    nb::class_<LinkDistances>(m, "LinkDistances", "Tallies of distances that grow pair by pair.")
        .def(
            "__init__",
            [](LinkDistances* self, InMatrix records, InMatrix candidates, InLabels truth, InVector weights,
               InResidues residues) {
                new (self) LinkDistances(records, candidates, truth, metric_of(weights, residues));
            },
            "records"_a.noconvert(), "candidates"_a.noconvert(), "truth"_a.noconvert(), "weights"_a.noconvert(),
            "residues"_a.noconvert())
        .def(
            "consider",
            [](LinkDistances& self, InLabels records, InLabels candidates) {
                without_gil([&] { self.consider(records, candidates); });
            },
            "records"_a.noconvert(), "candidates"_a.noconvert())
        .def("tally", [](const LinkDistances& self) { return as_arrays(self.tallies); });

    m.def("residue_sums", &residue_sums, "values"_a.noconvert(),
          "Sum of the values and of their squares, modulo 2^61 - 1.");
}

}  // namespace shoal
