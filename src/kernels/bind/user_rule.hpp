// A function of Python as a rule of a user that the kernels call.
#pragma once

#include "bind/bind.hpp"
#include "generalization/user_rule.hpp"

namespace shoal {

// (n_rows, n_numbers) int64 -> (n_rows,) float64
using RuleFunction = nb::typed<nb::callable, nb::object(nb::any)>;

// Called and dropped on any thread, with the GIL.
UserRule user_rule(nb::callable function);

}  // namespace shoal
