#include "linkage/record_pricing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace shoal {

namespace {

constexpr index_t kPricedLeaf = 64;

double square(double x) { return x * x; }

}  // namespace

struct RecordPricing::Search {
    const double* person;
    double limit;
    std::size_t n_wanted;
    std::vector<Cheap> found = {};  // a heap, the worst on top

    bool is_full() const { return found.size() == n_wanted; }

    // No distance with a larger square is of use at this price.
    double highest_square(double price) const {
        const double highest = (is_full() ? found.front().reduced : limit) + price;
        return highest > 0.0 ? square(highest) : -1.0;
    }

    void consider(Cheap cheap) {
        if (!(cheap.reduced < limit) || (is_full() && !(cheap < found.front()))) return;
        if (is_full()) {
            std::pop_heap(found.begin(), found.end());
            found.pop_back();
        }
        found.push_back(cheap);
        std::push_heap(found.begin(), found.end());
    }
};

RecordPricing::RecordPricing(Matrix records) : d_(records.d), order_(records.n), columns_(records.n * records.d) {
    std::iota(order_.begin(), order_.end(), index_t{0});
    divide(records, 0, records.n);
    for (index_t at = 0; at < records.n; ++at)
        for (index_t j = 0; j < d_; ++j) columns_[j * records.n + at] = records.row(order_[at])[j];
    boxes_.resize(leaves_.size() * 2 * d_);
    for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) enclose(leaf);
}

// Cuts the widest column at its median.
void RecordPricing::divide(Matrix records, index_t begin, index_t end) {
    if (end - begin <= kPricedLeaf) {
        leaves_.push_back({begin, end});
        return;
    }
    const index_t column = widest_column(records, begin, end), middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](index_t a, index_t b) {
        return std::pair(records.row(a)[column], a) < std::pair(records.row(b)[column], b);
    });
    divide(records, begin, middle);
    divide(records, middle, end);
}

index_t RecordPricing::widest_column(Matrix records, index_t begin, index_t end) const {
    index_t column = 0;
    double widest = -1.0;
    for (index_t j = 0; j < d_; ++j) {
        double low = kInfinity, high = -kInfinity;
        for (index_t at = begin; at < end; ++at) {
            low = std::min(low, records.row(order_[at])[j]);
            high = std::max(high, records.row(order_[at])[j]);
        }
        if (high - low > widest) {
            widest = high - low;
            column = j;
        }
    }
    return column;
}

void RecordPricing::enclose(std::size_t leaf) {
    double* box = boxes_.data() + leaf * 2 * d_;
    for (index_t j = 0; j < d_; ++j) {
        const double* column = columns_.data() + j * n_records();
        const auto [low, high] = std::minmax_element(column + leaves_[leaf].begin, column + leaves_[leaf].end);
        box[j] = *low;
        box[d_ + j] = *high;
    }
}

CheapPairs RecordPricing::below(Matrix persons, const double* prices, const double* limits, index_t n_wanted) const {
    const std::vector<double> highest = highest_prices(prices);
    std::vector<double> gaps(leaves_.size());
    CheapPairs pairs;
    for (index_t p = 0; p < persons.n; ++p) {
        Search search{persons.row(p), limits[p], static_cast<std::size_t>(n_wanted)};
        for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) gaps[leaf] = squared_gap(leaf, search.person);
        const std::size_t nearest = std::min_element(gaps.begin(), gaps.end()) - gaps.begin();
        look_at(nearest, prices, search);
        for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf)
            if (leaf != nearest && gaps[leaf] <= search.highest_square(highest[leaf])) look_at(leaf, prices, search);
        std::sort(search.found.begin(), search.found.end());
        for (const Cheap& cheap : search.found) {
            pairs.persons.push_back(p);
            pairs.records.push_back(cheap.record);
            pairs.distances.push_back(cheap.distance);
        }
    }
    return pairs;
}

// (n_leaves,) the highest price in every leaf
std::vector<double> RecordPricing::highest_prices(const double* prices) const {
    std::vector<double> highest(leaves_.size(), -kInfinity);
    for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf)
        for (index_t at = leaves_[leaf].begin; at < leaves_[leaf].end; ++at)
            highest[leaf] = std::max(highest[leaf], prices[order_[at]]);
    return highest;
}

double RecordPricing::squared_gap(std::size_t leaf, const double* person) const {
    const double* box = boxes_.data() + leaf * 2 * d_;
    double gap = 0.0;
    for (index_t j = 0; j < d_; ++j)
        gap += square(std::max(0.0, std::max(box[j] - person[j], person[j] - box[d_ + j])));
    return gap;
}

void RecordPricing::look_at(std::size_t leaf, const double* prices, Search& search) const {
    const auto [begin, end] = leaves_[leaf];
    double squares[kPricedLeaf] = {};
    for (index_t j = 0; j < d_; ++j) {
        const double* column = columns_.data() + j * n_records() + begin;
        const double value = search.person[j];
        for (index_t at = 0; at < end - begin; ++at) squares[at] += square(value - column[at]);
    }
    for (index_t at = 0; at < end - begin; ++at) {
        const index_t record = order_[begin + at];
        if (squares[at] > search.highest_square(prices[record])) continue;
        const double distance = std::sqrt(squares[at]);
        search.consider({distance - prices[record], record, distance});
    }
}

}  // namespace shoal
