#include "linkage/scaled_chances.hpp"

#include "bind/bind.hpp"

namespace shoal {

using namespace nb::literals;

void bind_scaled_chances(nb::module_& m) {
    m.def(
        "scaled_chances",
        [](const InLabels& persons, const InLabels& records, const InVector& chances, double least, index_t n_rounds) {
            std::vector<double> scaled = without_gil([&] {
                return scaled_chances(persons.data(), records.data(), copied(chances), least, n_rounds, hear_signals);
            });
            const std::size_t n = scaled.size();
            return to_numpy(std::move(scaled), {n});
        },
        "persons"_a.noconvert(), "records"_a.noconvert(), "chances"_a.noconvert(), "least"_a, "n_rounds"_a,
        "Chances of pairs, sorted by person, after rounds in which those of a record, then those of a person are "
        "scaled to a sum of 1. An interrupt is heard in between.");
}

}  // namespace shoal
