#include "bind.hpp"
#include "path.hpp"

namespace shoal {

using namespace nb::literals;

void bind_path(nb::module_& m) {
    m.def("best_cut", [](InMatrix X, InLabels path, index_t k) {
        return to_numpy(without_gil([&] { return best_cut(view(X), path.data(), k); }), {X.shape(0)});
    }, "X"_a.noconvert(), "path"_a.noconvert(), "k"_a,
          "Groups of k to 2k - 1 neighbors on the path with the least sum of squared errors.");

    m.def("nearest_next_path", [](InMatrix X, index_t start, const char* search) {
        const Search how = search_named(search);
        return to_numpy(without_gil([&] { return nearest_next_path(view(X), start, how); }), {X.shape(0)});
    }, "X"_a.noconvert(), "start"_a, "search"_a = "probe",
          "Records in the order of a walk that always goes on to the nearest one not yet visited.");
}

}  // namespace shoal
