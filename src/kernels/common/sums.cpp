#include "common/sums.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

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

// What a + b is rounded by, exactly.
inline double rounding_error(double a, double b, double sum) {
    const double part = sum - a;
    return (a - (sum - part)) + (b - part);
}

// Few numbers can mostly be summed without the long way: what every addition is rounded by is collected, and where the
// collection itself is exact, adding it rounds once. False where it is not.
bool short_sum(Matrix X, const Membership& groups, index_t group, index_t column, double& value) {
    double sum = 0.0, errors = 0.0;
    for (index_t at = groups.start[group]; at < groups.start[group + 1]; ++at) {
        const double x = X.row(groups.order[at])[column];
        const double next = sum + x;
        const double error = rounding_error(sum, x, next);
        const double all = errors + error;
        if (!(rounding_error(errors, error, all) == 0.0)) return false;  // also where something overflowed
        sum = next;
        errors = all;
    }
    value = sum + errors;
    return true;
}

constexpr index_t kFew = 16;

void sums_of_group(Matrix X, const Membership& groups, index_t group, std::vector<ExactSum>& sums, double* values) {
    for (index_t j = 0; j < X.d; ++j) {
        if (groups.size(group) <= kFew && short_sum(X, groups, group, j, values[j])) continue;
        sums[j].clear();
        for (index_t at = groups.start[group]; at < groups.start[group + 1]; ++at)
            sums[j].add(X.row(groups.order[at])[j]);
        values[j] = sums[j].value();
    }
}

void add_squares_of_numbers(Matrix X, index_t column, const Membership& groups, index_t n_groups, ExactSum& total) {
    ExactSum sum;
    for (index_t g = 0; g < n_groups; ++g) {
        double value = 0.0;
        if (groups.size(g) > kFew || !short_sum(X, groups, g, column, value)) {
            sum.clear();
            for (index_t at = groups.start[g]; at < groups.start[g + 1]; ++at) sum.add(X.row(groups.order[at])[column]);
            value = sum.value();
        }
        const double mean = value / static_cast<double>(groups.size(g));
        for (index_t at = groups.start[g]; at < groups.start[g + 1]; ++at) {
            const double difference = X.row(groups.order[at])[column] - mean;
            total.add(difference * difference);
        }
    }
}

// A category is a coordinate: `height` for its members, 0 for the others of the group.
void add_squares_of_codes(Matrix X, index_t column, double height, const Membership& groups, index_t n_groups,
                          ExactSum& total) {
    double most = 0.0;
    for (index_t i = 0; i < X.n; ++i) most = std::max(most, X.row(i)[column]);
    std::vector<index_t> n_members(static_cast<std::size_t>(most) + 1, 0);
    for (index_t g = 0; g < n_groups; ++g) {
        auto count_of = [&](index_t at) -> index_t& {
            return n_members[static_cast<std::size_t>(X.row(groups.order[at])[column])];
        };
        for (index_t at = groups.start[g]; at < groups.start[g + 1]; ++at) ++count_of(at);
        for (index_t at = groups.start[g]; at < groups.start[g + 1]; ++at) {
            const index_t n = std::exchange(count_of(at), 0);
            if (n == 0) continue;
            const double mean = static_cast<double>(n) * height / static_cast<double>(groups.size(g));
            total.add((height - mean) * (height - mean), static_cast<std::uint32_t>(n));
            total.add(mean * mean, static_cast<std::uint32_t>(groups.size(g) - n));
        }
    }
}

}  // namespace

std::vector<double> column_ranges(Matrix X) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::vector<double> ranges(2 * X.d, -infinity);
    double* least = ranges.data();
    double* most = least + X.d;
    std::fill(least, most, infinity);
    std::vector<double> faults(X.d, 0.0);  // NaN as soon as a value is not finite
    for (index_t i = 0; i < X.n; ++i) {
        const double* x = X.row(i);
        for (index_t j = 0; j < X.d; ++j) {
            least[j] = x[j] < least[j] ? x[j] : least[j];
            most[j] = x[j] > most[j] ? x[j] : most[j];
            faults[j] += x[j] - x[j];
        }
    }
    for (index_t j = 0; j < X.d; ++j)
        if (faults[j] != 0.0) most[j] = infinity;
    return ranges;
}

std::vector<index_t> order_by_label(const index_t* labels, index_t n, index_t n_groups) {
    return Membership(labels, n, n_groups).order;
}

void ExactSums::add(Matrix X) {
    for (index_t i = 0; i < X.n; ++i)
        for (index_t j = 0; j < X.d; ++j) sums_[j].add(X.row(i)[j]);
}

void ExactSums::add(const ExactSums& other) {
    if (other.sums_.size() != sums_.size()) throw std::invalid_argument("sums of another number of columns");
    for (std::size_t j = 0; j < sums_.size(); ++j) sums_[j].add(other.sums_[j]);
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

double within_groups_sse(Matrix cells, const double* heights, const index_t* labels, index_t n_groups) {
    const Membership groups(labels, cells.n, n_groups);
    ExactSum total;
    for (index_t j = 0; j < cells.d; ++j)
        if (heights[j] == 0.0)
            add_squares_of_numbers(cells, j, groups, n_groups, total);
        else
            add_squares_of_codes(cells, j, heights[j], groups, n_groups, total);
    return total.value();
}

}  // namespace shoal
