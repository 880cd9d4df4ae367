#include "sums.hpp"

#include <numeric>

namespace shoal {

namespace {

// Records by group: members of group g are order[start[g]] .. order[start[g + 1] - 1], ascending.
struct Membership {
    std::vector<index_t> start;
    std::vector<index_t> order;

    Membership(const index_t* labels, index_t n, index_t n_groups) : start(n_groups + 1, 0), order(n) {
        for (index_t i = 0; i < n; ++i) ++start[labels[i] + 1];
        std::partial_sum(start.begin(), start.end(), start.begin());
        std::vector<index_t> next(start.begin(), start.end() - 1);
        for (index_t i = 0; i < n; ++i) order[next[labels[i]]++] = i;
    }

    index_t size(index_t group) const { return start[group + 1] - start[group]; }
};

void sums_of_group(Matrix X, const Membership& groups, index_t group, std::vector<ExactSum>& sums, double* values) {
    for (auto& sum : sums) sum.clear();
    for (index_t at = groups.start[group]; at < groups.start[group + 1]; ++at) {
        const double* x = X.row(groups.order[at]);
        for (index_t j = 0; j < X.d; ++j) sums[j].add(x[j]);
    }
    for (index_t j = 0; j < X.d; ++j) values[j] = sums[j].value();
}

}  // namespace

void ExactSums::add(Matrix X) {
    for (index_t i = 0; i < X.n; ++i)
        for (index_t j = 0; j < X.d; ++j) sums_[j].add(X.row(i)[j]);
}

void ExactSums::add_squares(Matrix X, const double* center) {
    for (index_t i = 0; i < X.n; ++i)
        for (index_t j = 0; j < X.d; ++j) {
            const double difference = X.row(i)[j] - center[j];
            sums_[j].add(difference * difference);
        }
}

std::vector<double> ExactSums::values() const {
    std::vector<double> values;
    values.reserve(sums_.size());
    for (const auto& sum : sums_) values.push_back(sum.value());
    return values;
}

std::vector<double> column_sums(Matrix X) {
    ExactSums sums(X.d);
    sums.add(X);
    return sums.values();
}

std::vector<double> column_squares(Matrix X, const double* center) {
    ExactSums sums(X.d);
    sums.add_squares(X, center);
    return sums.values();
}

std::vector<double> group_sums(Matrix X, const index_t* labels, index_t n_groups) {
    const Membership groups(labels, X.n, n_groups);
    std::vector<ExactSum> sums(X.d);
    std::vector<double> values(static_cast<std::size_t>(n_groups) * X.d);
    for (index_t g = 0; g < n_groups; ++g) sums_of_group(X, groups, g, sums, values.data() + g * X.d);
    return values;
}

double within_groups_sse(Matrix X, const index_t* labels, index_t n_groups) {
    const Membership groups(labels, X.n, n_groups);
    std::vector<ExactSum> sums(X.d);
    std::vector<double> mean(X.d);
    ExactSum total;
    for (index_t g = 0; g < n_groups; ++g) {
        sums_of_group(X, groups, g, sums, mean.data());
        for (auto& value : mean) value /= static_cast<double>(groups.size(g));
        for (index_t at = groups.start[g]; at < groups.start[g + 1]; ++at) {
            const double* x = X.row(groups.order[at]);
            for (index_t j = 0; j < X.d; ++j) total.add((x[j] - mean[j]) * (x[j] - mean[j]));
        }
    }
    return total.value();
}

}  // namespace shoal
