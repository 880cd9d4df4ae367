#include "bind.hpp"
#include "spanning_tree.hpp"

namespace shoal {

using namespace nb::literals;

void bind_spanning_tree(nb::module_& m) {
    m.def("spanning_tree_parts", [](InMatrix X, index_t k) {
        return to_numpy(without_gil([&] { return cut_longest_edges(spanning_tree(view(X)), k); }), {X.shape(0)});
    }, "X"_a.noconvert(), "k"_a,
          "Parts of the shortest spanning tree, cut at the longest edges that leave k records on both sides.");
}

}  // namespace shoal
