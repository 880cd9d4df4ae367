// The compiled module: where Python and the kernels meet.
#include "bind.hpp"

NB_MODULE(_compiled, m) {
    m.doc() = "Compiled kernels of Shoal: arrays in, arrays out.";
    shoal::bind_sums(m);
    shoal::bind_mdav(m);
    shoal::bind_refine(m);
    shoal::bind_pricing(m);
}
