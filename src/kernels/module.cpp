// The one place where Python and the kernels meet. Shapes and finiteness are checked by shoal.kernels before a call.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <vector>

#include "matrix.hpp"
#include "mdav.hpp"
#include "sums.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using shoal::index_t;

namespace {

using InMatrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using InVector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using InLabels = nb::ndarray<const index_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

shoal::Matrix view(const InMatrix& X) {
    return {X.data(), static_cast<index_t>(X.shape(0)), static_cast<index_t>(X.shape(1))};
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

}  // namespace

NB_MODULE(_compiled, m) {
    m.doc() = "Compiled kernels of Shoal: arrays in, arrays out.";

    m.def("column_sums", [](InMatrix X) {
        return to_numpy(without_gil([&] { return shoal::column_sums(view(X)); }), {X.shape(1)});
    }, "X"_a.noconvert(), "Sum of every column, exact and order-free.");

    m.def("column_squares", [](InMatrix X, InVector center) {
        return to_numpy(without_gil([&] { return shoal::column_squares(view(X), center.data()); }), {X.shape(1)});
    }, "X"_a.noconvert(), "center"_a.noconvert(), "Sum of squared differences from the center, for every column.");

    m.def("group_sums", [](InMatrix X, InLabels labels, index_t n_groups) {
        return to_numpy(without_gil([&] { return shoal::group_sums(view(X), labels.data(), n_groups); }),
                        {static_cast<std::size_t>(n_groups), X.shape(1)});
    }, "X"_a.noconvert(), "labels"_a.noconvert(), "n_groups"_a, "Sum of every group, (n_groups, d), exact and order-free.");

    m.def("within_groups_sse", [](InMatrix X, InLabels labels, index_t n_groups) {
        return without_gil([&] { return shoal::within_groups_sse(view(X), labels.data(), n_groups); });
    }, "X"_a.noconvert(), "labels"_a.noconvert(), "n_groups"_a, "Sum of squared distances to the group means.");

    nb::class_<shoal::Mdav>(m, "Mdav", "MDAV by brute force, a few groups at a time.")
        .def("__init__", [](shoal::Mdav* self, InMatrix X, index_t k) { new (self) shoal::Mdav(view(X), k); },
             "X"_a.noconvert(), "k"_a)
        .def("step", &shoal::Mdav::step, "n_groups"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Form at least n_groups more groups; returns how many records still have none.")
        .def("labels", [](const shoal::Mdav& self) { return to_numpy(self.labels(), {self.labels().size()}); },
             "Group of every record, -1 while it has none.");
}
