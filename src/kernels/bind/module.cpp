// The compiled module that Python imports.
#include "bind/bind.hpp"

NB_MODULE(_compiled, m) {
    m.doc() = "Compiled kernels of Shoal: arrays in, arrays out.";
    shoal::bind_sums(m);
    shoal::bind_cells(m);
    shoal::bind_neighbors(m);
    shoal::bind_mdav(m);
    shoal::bind_vmdav(m);
    shoal::bind_remaining_records(m);
    shoal::bind_path(m);
    shoal::bind_forest(m);
    shoal::bind_spanning_tree(m);
    shoal::bind_genetic(m);
    shoal::bind_annealing(m);
    shoal::bind_pricing(m);
    shoal::bind_cuts(m);
    shoal::bind_link(m);
    shoal::bind_assignment(m);
    shoal::bind_pairing(m);
    shoal::bind_suda(m);
    shoal::bind_unique_rows(m);
    shoal::bind_scaled_chances(m);
    shoal::bind_local_suppression(m);
    shoal::bind_som(m);
    shoal::bind_partition_search(m);
    shoal::bind_and_or(m);
    shoal::bind_box_ratios(m);
}
