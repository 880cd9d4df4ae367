#include "bind/bind.hpp"
#include "perturbation/pairing.hpp"

namespace shoal {

using namespace nb::literals;

using InFlags = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using InWindows = nb::ndarray<const index_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
static_assert(sizeof(Window) == 4 * sizeof(index_t));

void bind_pairing(nb::module_& m) {
    m.def("pair_up", [](InFlags lives, InLabels visits, InWindows windows, index_t most, std::uint64_t seed) {
        const auto n = static_cast<index_t>(lives.shape(0)), n_visits = static_cast<index_t>(visits.shape(0));
        const auto* around = reinterpret_cast<const Window*>(windows.data());
        return to_numpy(without_gil([&] { return pair_up(n, lives.data(), visits.data(), n_visits, around, most, seed); }),
                        {lives.shape(0)});
    }, "lives"_a.noconvert(), "visits"_a.noconvert(), "windows"_a.noconvert(), "most"_a, "seed"_a,
          "Partner of every rank, -1 for none; each of visits draws among those left in its window, until there are most "
          "pairs. Windows are rows of (low, own_low, own_high, high): [low, high) without [own_low, own_high).");
}

}  // namespace shoal
