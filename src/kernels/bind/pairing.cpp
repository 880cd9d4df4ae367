#include "bind/bind.hpp"
#include "perturbation/pairing.hpp"

namespace shoal {

using namespace nb::literals;

using InFlags = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using InWindows = nb::ndarray<const index_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
static_assert(sizeof(Window) == 4 * sizeof(index_t));

void bind_pairing(nb::module_& m) {
    m.def(
        "pair_up",
        [](InFlags active, InLabels visits, InWindows windows, index_t max_pairs, std::uint64_t seed) {
            const PairingInput input{.n = static_cast<index_t>(active.shape(0)),
                                     .active = active.data(),
                                     .visits = visits.data(),
                                     .n_visits = static_cast<index_t>(visits.shape(0)),
                                     .windows = reinterpret_cast<const Window*>(windows.data()),
                                     .max_pairs = max_pairs,
                                     .seed = seed};
            return to_numpy(without_gil([&] { return pair_up(input); }), {active.shape(0)});
        },
        "active"_a.noconvert(), "visits"_a.noconvert(), "windows"_a.noconvert(), "max_pairs"_a, "seed"_a,
        "Partner of every rank, -1 for none; each of visits draws among the active ranks of its window that are left, "
        "until "
        "there are max_pairs pairs. Windows are rows of (low, own_low, own_high, high): [low, high) without [own_low, "
        "own_high).");
}

}  // namespace shoal
