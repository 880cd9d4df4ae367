#include "bind/bind.hpp"
#include "microaggregation/genetic.hpp"

namespace shoal {

using namespace nb::literals;

namespace {

// The kernel reads X in place, so it travels with what owns it.
struct OwnedGenetic {
    InMatrix X;
    Genetic state;
};

}  // namespace

void bind_genetic(nb::module_& m) {
    nb::class_<OwnedGenetic>(m, "Genetic", "A population of partitions, a few generations at a time.")
        .def(
            "__init__",
            [](OwnedGenetic* self, InMatrix X, index_t k, index_t population, double crossover, double mutation,
               std::uint64_t seed) {
                new (self) OwnedGenetic{
                    X, without_gil([&] { return Genetic(view(X), k, population, crossover, mutation, seed); })};
            },
            "X"_a.noconvert(), "k"_a, "population"_a, "crossover"_a, "mutation"_a, "seed"_a)
        .def(
            "step",
            [](OwnedGenetic& self, index_t n_generations) { without_gil([&] { self.state.step(n_generations); }); },
            "n_generations"_a)
        .def(
            "best", [](const OwnedGenetic& self) { return to_numpy(self.state.best(), {self.state.best().size()}); },
            "Group of every record in the best partition so far.");
}

}  // namespace shoal
