#include "bind.hpp"
#include "pairing.hpp"

namespace shoal {

using namespace nb::literals;

using InFlags = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void bind_pairing(nb::module_& m) {
    m.def("pair_up", [](InFlags lives, InLabels visits, InLabels low, InLabels high, InLabels own_low, InLabels own_high,
                        index_t most, std::uint64_t seed) {
        const Windows windows{low.data(), high.data(), own_low.data(), own_high.data()};
        const auto n = static_cast<index_t>(lives.shape(0)), n_visits = static_cast<index_t>(visits.shape(0));
        return to_numpy(without_gil([&] { return pair_up(n, lives.data(), visits.data(), n_visits, windows, most, seed); }),
                        {lives.shape(0)});
    }, "lives"_a.noconvert(), "visits"_a.noconvert(), "low"_a.noconvert(), "high"_a.noconvert(),
          "own_low"_a.noconvert(), "own_high"_a.noconvert(), "most"_a, "seed"_a,
          "Partner of every rank, -1 for none; each of visits draws among those left in [low, high) without "
          "[own_low, own_high), which holds the rank itself, until there are so many pairs.");
}

}  // namespace shoal
