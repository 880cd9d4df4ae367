#include "generalization/box_ratios.hpp"

#include <nanobind/stl/vector.h>

#include "bind/bind.hpp"

namespace shoal {

using namespace nb::literals;

void bind_box_ratios(nb::module_& m) {
    m.def(
        "box_ratios",
        [](const std::vector<Attribute>& attributes, const std::vector<BlockTest>& tests,
           std::vector<std::vector<double>> widths, LossKind loss, index_t least, index_t n_classes, InCells codes,
           InLabels n, InTable counts, InVector prices, double reach, index_t most_work) {
            Problem problem{.attributes = attributes,
                            .tests = tests,
                            .widths = std::move(widths),
                            .keeps = {},
                            .loss = loss,
                            .user_loss = nullptr,
                            .least_of = {},
                            .least = least,
                            .n_classes = n_classes,
                            .n_counts = static_cast<index_t>(counts.shape(1)),
                            .empty_blocks = true};
            const CellArrays cells{.codes = codes.data(),
                                   .n = n.data(),
                                   .floors = nullptr,
                                   .counts = counts.data(),
                                   .n_cells = codes.shape(0)};
            auto ratios =
                without_gil([&] { return BoxRatios(std::move(problem), cells).of(prices.data(), reach, most_work); });
            const std::size_t n_ratios = ratios.size();
            return to_numpy(std::move(ratios), {n_ratios});
        },
        nb::kw_only(), "attributes"_a, "tests"_a, "widths"_a, "loss"_a, "least"_a, "n_classes"_a, "codes"_a.noconvert(),
        "n"_a.noconvert(), "counts"_a.noconvert(), "prices"_a.noconvert(), "reach"_a, "most_work"_a,
        "(n_cells,) least loss / price of the blocks around a cell that cost less than `reach` per record; infinite: "
        "none. "
        "No number where there is too much work.");
}

}  // namespace shoal
