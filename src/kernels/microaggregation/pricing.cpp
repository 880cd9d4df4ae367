#include "microaggregation/pricing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace shoal {

namespace {

constexpr int kBits = 50;             // of a sum of weights: exact in a double
constexpr int kLeastExponent = -900;  // when all records are alike and all duals zero

// Give the pair (i, j) the weight w = d(i, j) / m - (p_i + p_j) / (m - 1), where p are the duals raised by
// threshold / m: the weights of a group of m records add up to its reduced cost less the threshold. Taking the record
// with the largest marginal from a set of negative weight leaves a set of negative weight, down to a pair; so every
// such group is reached from a pair through negative sets, by one path: the record added last is always the one
// of largest marginal, the highest on ties. Weights are whole numbers of a tiny quantum, rounded down: sums are exact
// in any order, ties are ties, and no group is missed.
class GroupEnumerator {
public:
    GroupEnumerator(Matrix distances, double farthest, const PricingQuery& query, PricingResult& found)
        : distances_(distances), n_(distances.n), size_(query.size), threshold_(query.threshold),
          max_groups_(query.max_groups), max_nodes_(query.max_nodes), found_(found), share_(n_),
          marginals_(query.size, std::vector<double>(n_)), members_(query.size) {
        const double m = static_cast<double>(size_);
        for (index_t i = 0; i < n_; ++i) share_[i] = (query.duals[i] + threshold_ / m) / (m - 1.0);
        double largest = farthest / m;
        for (const double share : share_) largest = std::max(largest, std::abs(share));
        per_unit_ = std::ldexp(1.0, kBits - std::max(std::ilogb(largest * m * m), kLeastExponent));
        per_pair_ = per_unit_ / m;
        for (double& share : share_) share = std::ceil(share * per_unit_);
    }

    void from(index_t record) {
        members_[0] = record;
        std::fill(marginals_[0].begin(), marginals_[0].end(), 0.0);
        add_marginals_of(record, 1);
        grow(1, 0.0);
    }

    // At most most_groups of those found, in the order they came; the first found on ties.
    void keep_cheapest() {
        const index_t n = static_cast<index_t>(found_.reduced_costs.size());
        if (n <= max_groups_) return;
        std::vector<index_t> order(n);
        std::iota(order.begin(), order.end(), index_t{0});
        const auto cheaper = [&](index_t a, index_t b) {
            return std::pair(found_.reduced_costs[a], a) < std::pair(found_.reduced_costs[b], b);
        };
        std::nth_element(order.begin(), order.begin() + max_groups_, order.end(), cheaper);
        order.resize(max_groups_);
        std::sort(order.begin(), order.end());
        for (index_t at = 0; at < max_groups_; ++at) {
            found_.reduced_costs[at] = found_.reduced_costs[order[at]];
            std::copy_n(found_.groups.begin() + order[at] * size_, size_, found_.groups.begin() + at * size_);
        }
        found_.reduced_costs.resize(max_groups_);
        found_.groups.resize(max_groups_ * size_);
    }

private:
    double weight(index_t i, index_t j) const {
        return std::floor(distances_.row(i)[j] * per_pair_) - (share_[i] + share_[j]);
    }

    // The marginals of all records to the first n members, from those to the first n - 1.
    void add_marginals_of(index_t record, index_t n) {
        const double* row = distances_.row(record);
        const double* before = marginals_[n - 1].data();
        double* after = marginals_[n].data();
        const double own = share_[record];
        for (index_t i = 0; i < n_; ++i) after[i] = before[i] + (std::floor(row[i] * per_pair_) - (share_[i] + own));
        after[record] = before[record];
    }

    void grow(index_t n, double total) {
        if (++n_nodes_ > max_nodes_) {
            found_.complete = false;
            return;
        }
        const double* marginal = marginals_[n].data();
        for (index_t i = 0; i < n_; ++i) {
            if (total + marginal[i] >= 0.0 || !comes_last(i, n)) continue;
            members_[n] = i;
            if (n + 1 == size_) {
                keep((total + marginal[i]) / per_unit_ + threshold_);
            } else {
                add_marginals_of(i, n + 1);
                grow(n + 1, total + marginal[i]);
                if (!found_.complete) return;
            }
        }
    }

    bool comes_last(index_t record, index_t n) const {
        const double own = marginals_[n][record];
        for (index_t m = 0; m < n; ++m) {
            const index_t member = members_[m];
            if (member == record) return false;
            const double other = marginals_[n][member] + weight(member, record);
            if (other > own || (other == own && member > record)) return false;
        }
        return true;
    }

    void keep(double reduced_cost) {
        const double each = reduced_cost / static_cast<double>(size_);
        for (const index_t member : members_) found_.least[member] = std::min(found_.least[member], each);
        ++found_.n_found;
        for (const index_t member : members_) found_.groups.push_back(static_cast<std::int32_t>(member));
        found_.reduced_costs.push_back(reduced_cost);
        if (static_cast<index_t>(found_.reduced_costs.size()) == 2 * max_groups_) keep_cheapest();
    }

    Matrix distances_;
    index_t n_, size_;
    double threshold_;
    index_t max_groups_, max_nodes_;
    index_t n_nodes_ = 0;
    PricingResult& found_;
    double per_unit_;                             // quanta in 1: a power of two
    double per_pair_;                             // quanta in the weight of a pair, for a squared distance of 1
    std::vector<double> share_;                   // (n,) in quanta
    std::vector<std::vector<double>> marginals_;  // (size, n): [s][i] is the weight between i and the first s members
    std::vector<index_t> members_;                // (size,)
};

}  // namespace

Pricer::Pricer(Matrix X) : n_(X.n), distances_(X.n * X.n, 0.0) {
    for (index_t i = 0; i < n_; ++i)
        for (index_t k = 0; k < i; ++k) {
            double squared = 0.0;
            for (index_t j = 0; j < X.d; ++j) squared += (X.row(i)[j] - X.row(k)[j]) * (X.row(i)[j] - X.row(k)[j]);
            distances_[i * n_ + k] = distances_[k * n_ + i] = squared;
            farthest_ = std::max(farthest_, squared);
        }
}

PricingResult Pricer::price(const PricingQuery& query) const {
    PricingResult found;
    found.least.assign(n_, query.threshold / static_cast<double>(query.size));
    GroupEnumerator groups({distances_.data(), n_, n_}, farthest_, query, found);
    for (index_t record = query.first; record < query.last && found.complete; ++record) groups.from(record);
    groups.keep_cheapest();
    return found;
}

}  // namespace shoal
