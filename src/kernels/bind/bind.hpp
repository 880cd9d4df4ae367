// Arrays between numpy and the kernels, for the files that bind them. Shapes and finiteness are checked by
// shoal.kernels before a call.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "common/matrix.hpp"

namespace shoal {

namespace nb = nanobind;

using InMatrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using InVector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using InLabels = nb::ndarray<const index_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using InTable = nb::ndarray<const index_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;       // of codes or counts
using InCells = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;  // codes of cells

inline Matrix view(const InMatrix& X) {
    return {X.data(), static_cast<index_t>(X.shape(0)), static_cast<index_t>(X.shape(1))};
}

template <class T, class... Form>
std::vector<T> copied(const nb::ndarray<const T, Form...>& values) {
    return {values.data(), values.data() + values.size()};
}

template <class T, std::size_t Dimensions>
auto to_numpy(std::vector<T> values, const std::size_t (&shape)[Dimensions]) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    T* data = owned->data();
    nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T, nb::ndim<Dimensions>>(data, Dimensions, shape, owner);
}

template <class Function>
auto without_gil(Function function) {
    nb::gil_scoped_release release;
    return function();
}

// To be called now and then by a kernel that runs without the GIL: throws where a signal handler of Python raises, as
// that of Ctrl-C does.
inline void hear_signals() {
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// One for every family of kernels; each is defined in bind/<family>.cpp.
void bind_sums(nb::module_& m);
void bind_cells(nb::module_& m);
void bind_mdav(nb::module_& m);
void bind_neighbors(nb::module_& m);
void bind_vmdav(nb::module_& m);
void bind_remaining_records(nb::module_& m);
void bind_path(nb::module_& m);
void bind_forest(nb::module_& m);
void bind_spanning_tree(nb::module_& m);
void bind_genetic(nb::module_& m);
void bind_annealing(nb::module_& m);
void bind_pricing(nb::module_& m);
void bind_cuts(nb::module_& m);
void bind_link(nb::module_& m);
void bind_assignment(nb::module_& m);
void bind_pairing(nb::module_& m);
void bind_suda(nb::module_& m);
void bind_unique_rows(nb::module_& m);
void bind_scaled_chances(nb::module_& m);
void bind_local_suppression(nb::module_& m);
void bind_som(nb::module_& m);
void bind_partition_search(nb::module_& m);
void bind_and_or(nb::module_& m);
void bind_box_ratios(nb::module_& m);

}  // namespace shoal
