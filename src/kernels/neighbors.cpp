#include "neighbors.hpp"

#include <stdexcept>

#include "neighbor_scan.hpp"
#include "neighbor_tree.hpp"

namespace shoal {

namespace {

constexpr index_t kProbes = 32;
constexpr index_t kSmall = 512;          // below, a scan is over before a tree is built
constexpr double kWorthAScan = 1.0 / 9;  // with its boxes, a distance in a tree costs some nine times one in a scan

// Mean share of the records that the tree looks at for one question.
double share_looked_at(NeighborTree& tree, Matrix X, index_t count) {
    std::vector<Candidate> found;
    const index_t step = std::max<index_t>(1, X.n / kProbes);
    index_t n_asked = 0;
    for (index_t i = 0; i < X.n; i += step, ++n_asked) tree.nearest(X.row(i), count, found);
    return static_cast<double>(tree.n_looked()) / (static_cast<double>(n_asked) * static_cast<double>(X.n));
}

}  // namespace

Search search_named(std::string_view name) {
    if (name == "probe") return Search::kProbe;
    if (name == "scan") return Search::kScan;
    if (name == "tree") return Search::kTree;
    throw std::invalid_argument("search is probe, scan or tree");
}

std::unique_ptr<Neighbors> search_in(Matrix X, index_t count, Search how) {
    if (how == Search::kScan || (how == Search::kProbe && X.n < kSmall)) return std::make_unique<NeighborScan>(X);
    auto tree = std::make_unique<NeighborTree>(X);
    if (how == Search::kTree || share_looked_at(*tree, X, count) < kWorthAScan) return tree;
    tree.reset();
    return std::make_unique<NeighborScan>(X);
}

}  // namespace shoal
