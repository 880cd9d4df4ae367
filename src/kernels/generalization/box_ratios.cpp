#include "generalization/box_ratios.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace shoal {

namespace {

index_t longest_line(const Attribute& attribute) {
    index_t longest = 0;
    for (std::size_t node = 0; node < attribute.rule.size(); ++node)
        if (attribute.rule[node] == Rule::line)
            longest = std::max(longest, attribute.stop[node] - attribute.start[node]);
    return longest;
}

}  // namespace

BoxRatios::BoxRatios(Problem problem, const CellArrays& cells)
    : problem_(std::move(problem)), cells_(cells), must_be_long_(problem_.attributes.size(), false),
      levels_(problem_.attributes.size()), counts_(static_cast<std::size_t>(problem_.n_counts)) {
    for (const BlockTest& test : problem_.tests) {
        if (test.kind == TestKind::length) must_be_long_[test.column] = true;
        if (test.kind != TestKind::length && test.kind != TestKind::user) tests_.push_back(test);
    }
    choose_order();
}

// Few codes first: boxes that cost too much are noticed early.
void BoxRatios::choose_order() {
    const auto& attributes = problem_.attributes;
    order_.resize(attributes.size());
    std::iota(order_.begin(), order_.end(), index_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](index_t a, index_t b) { return attributes[a].n_codes() < attributes[b].n_codes(); });
    const auto last = std::max_element(order_.begin(), order_.end(), [&](index_t a, index_t b) {
        return longest_line(attributes[a]) < longest_line(attributes[b]);
    });
    std::rotate(last, last + 1, order_.end());
}

std::vector<double> BoxRatios::of(const double* prices, double reach, index_t most_work) {
    prices_ = prices;
    reach_ = reach;
    work_left_ = most_work;
    ratios_.assign(cells_.n_cells, kInfinity);
    std::vector<std::uint32_t> all(cells_.n_cells);
    std::iota(all.begin(), all.end(), 0U);
    visit(0, all.data(), all.data() + all.size(), problem_.loss == LossKind::volume ? 1.0 : 0.0);
    if (work_left_ < 0) ratios_.clear();
    return std::exchange(ratios_, {});
}

void BoxRatios::visit(std::size_t depth, Cell first, Cell last, double extent) {
    work_left_ -= last - first;
    if (work_left_ < 0 || could_be_narrower(depth, first, last)) return;
    if (depth + 1 == order_.size()) return visit_last(first, last, extent);
    const index_t column = order_[depth];
    const Attribute& attribute = problem_.attributes[column];
    sort(levels_[depth], column, first, last);
    for (index_t node = 0; node < static_cast<index_t>(attribute.rule.size()); ++node) {
        const index_t start = attribute.start[node], stop = attribute.stop[node];
        if (attribute.rule[node] != Rule::line) {
            visit_part(depth, {start, stop, node}, extent);
            continue;
        }
        work_left_ -= (stop - start) * (stop - start + 1) / 2;
        for (index_t from = start; from < stop; ++from)
            for (index_t to = from + 1; to <= stop; ++to) visit_part(depth, {from, to, node}, extent);
    }
}

void BoxRatios::sort(Level& level, index_t column, Cell first, Cell last) {
    const auto d = problem_.attributes.size(),
               n_codes = static_cast<std::size_t>(problem_.attributes[column].n_codes());
    level.cells.resize(static_cast<std::size_t>(last - first));
    level.at.assign(n_codes + 2, 0);
    level.n.assign(n_codes + 1, 0);
    const std::int32_t* codes = cells_.codes + column;
    for (Cell cell = first; cell != last; ++cell) {
        const auto code = static_cast<std::size_t>(codes[*cell * d]);
        ++level.at[code + 2];
        level.n[code + 1] += cells_.n[*cell];
    }
    std::partial_sum(level.at.begin(), level.at.end(), level.at.begin());
    std::partial_sum(level.n.begin(), level.n.end(), level.n.begin());
    for (Cell cell = first; cell != last; ++cell)
        level.cells[level.at[static_cast<std::size_t>(codes[*cell * d]) + 1]++] = *cell;
}

void BoxRatios::visit_part(std::size_t depth, const Span& part, double extent) {
    const Level& level = levels_[depth];
    const index_t column = order_[depth];
    if (level.n[part.stop] - level.n[part.start] < problem_.least) return;
    if (!is_closed(level, column, part) || !problem_.is_long_enough(column, part)) return;
    const double wider = with(column, part, extent);
    if (wider >= reach_) return;
    levels_[depth].part = part;
    visit(depth + 1, level.cells.data() + level.at[part.start], level.cells.data() + level.at[part.stop], wider);
}

// Whether a narrower part of an attribute before has the same cells, now that there are fewer: it is visited as well.
bool BoxRatios::could_be_narrower(std::size_t depth, Cell first, Cell last) const {
    for (std::size_t before = 0; before + 1 < depth; ++before) {
        const index_t column = order_[before];
        if (!must_be_long_[column] && !reaches_ends(column, levels_[before].part, first, last)) return true;
    }
    return false;
}

// Whether cells have both ends of a part of a line, or codes of two children of a node.
bool BoxRatios::reaches_ends(index_t column, const Span& part, Cell first, Cell last) const {
    const Attribute& attribute = problem_.attributes[column];
    const std::int32_t* codes = cells_.codes + column;
    const auto is_there = [&](auto condition) {
        return std::any_of(first, last, [&](std::uint32_t cell) { return condition(codes[cell * order_.size()]); });
    };
    if (attribute.rule[part.node] == Rule::line)
        return is_there([&](index_t code) { return code == part.start; }) &&
               is_there([&](index_t code) { return code + 1 == part.stop; });
    if (attribute.rule[part.node] != Rule::all) return true;
    index_t child = attribute.first_child[part.node];
    while (attribute.stop[child] <= codes[*first * order_.size()]) ++child;
    return is_there([&](index_t code) { return code < attribute.start[child] || code >= attribute.stop[child]; });
}

// Whether no narrower part has the same records.
bool BoxRatios::is_closed(const Level& level, index_t column, const Span& part) const {
    if (must_be_long_[column]) return true;
    const Attribute& attribute = problem_.attributes[column];
    const index_t n = level.n[part.stop] - level.n[part.start];
    if (attribute.rule[part.node] == Rule::line)
        return level.n[part.start + 1] > level.n[part.start] && level.n[part.stop] > level.n[part.stop - 1];
    const index_t first = attribute.first_child[part.node];
    for (index_t child = first; child < first + attribute.n_children[part.node]; ++child)
        if (level.n[attribute.stop[child]] - level.n[attribute.start[child]] == n) return false;
    return true;
}

void BoxRatios::visit_last(Cell first, Cell last, double extent) {
    const index_t column = order_.back();
    const Attribute& attribute = problem_.attributes[column];
    add_up(first, last);
    for (index_t node = 0; node < static_cast<index_t>(attribute.rule.size()); ++node) {
        const Span part{attribute.start[node], attribute.stop[node], node};
        if (attribute.rule[node] == Rule::line) {
            read_line(node, extent);
            continue;
        }
        --work_left_;
        const auto from = sums_.worst.begin() + part.start, to = sums_.worst.begin() + part.stop;
        double least = kInfinity;
        read_part(part, extent, *std::max_element(from, to), least);
        for (index_t code = part.start; code < part.stop; ++code)
            sums_.least[code] = std::min(sums_.least[code], least);
    }
    for (Cell cell = first; cell != last; ++cell) {
        const std::int32_t code = cells_.codes[*cell * order_.size() + static_cast<std::size_t>(column)];
        ratios_[*cell] = std::min(ratios_[*cell], sums_.least[code]);
    }
}

void BoxRatios::add_up(Cell first, Cell last) {
    const auto d = order_.size(), m = static_cast<std::size_t>(problem_.n_counts);
    const auto n_codes = static_cast<std::size_t>(problem_.attributes[order_.back()].n_codes());
    sums_.n.assign(n_codes + 1, 0);
    sums_.prices.assign(n_codes + 1, 0.0);
    sums_.counts.assign((n_codes + 1) * m, 0);
    sums_.worst.assign(n_codes, 0.0);
    sums_.least.assign(n_codes, kInfinity);
    for (Cell cell = first; cell != last; ++cell) {
        const auto code = static_cast<std::size_t>(cells_.codes[*cell * d + static_cast<std::size_t>(order_.back())]);
        sums_.n[code + 1] += cells_.n[*cell];
        sums_.prices[code + 1] += prices_[*cell];
        sums_.worst[code] = std::max(sums_.worst[code], ratios_[*cell]);
        for (std::size_t c = 0; c < m; ++c) sums_.counts[(code + 1) * m + c] += cells_.counts[*cell * m + c];
    }
    for (std::size_t code = 0; code < n_codes; ++code) {
        sums_.n[code + 1] += sums_.n[code];
        sums_.prices[code + 1] += sums_.prices[code];
        for (std::size_t c = 0; c < m; ++c) sums_.counts[(code + 1) * m + c] += sums_.counts[code * m + c];
    }
}

// All parts of a line, from each code on: the least of a code is that of the parts that begin up to it and end from it on.
void BoxRatios::read_line(index_t node, double extent) {
    const index_t column = order_.back();
    const Attribute& attribute = problem_.attributes[column];
    codes_.clear();
    for (index_t code = attribute.start[node]; code < attribute.stop[node]; ++code)
        if (must_be_long_[column] || sums_.n[code + 1] > sums_.n[code]) codes_.push_back(code);
    const std::size_t n_codes = codes_.size();
    work_left_ -= static_cast<index_t>(n_codes * (n_codes + 1) / 2);
    ended_.assign(n_codes, kInfinity);
    for (std::size_t from = 0; from < n_codes; ++from) {
        double worst = 0.0;
        for (std::size_t to = from; to < n_codes; ++to) {
            worst = std::max(worst, sums_.worst[codes_[to]]);
            read_part({codes_[from], codes_[to] + 1, node}, extent, worst, ended_[to]);
        }
        double& least = sums_.least[codes_[from]];
        least = std::min(least, *std::min_element(ended_.begin() + static_cast<std::ptrdiff_t>(from), ended_.end()));
    }
}

// Lowers `least` to the ratio of a box that holds. Where every cell has a ratio up to `worst` it need not be tested.
void BoxRatios::read_part(const Span& part, double extent, double worst, double& least) {
    const index_t n = sums_.n[part.stop] - sums_.n[part.start];
    const double price = sums_.prices[part.stop] - sums_.prices[part.start];
    if (n < problem_.least || price <= 0.0) return;
    const double wider = with(order_.back(), part, extent);
    if (wider >= reach_) return;
    const auto m = static_cast<std::size_t>(problem_.n_counts);
    for (std::size_t c = 0; c < m; ++c)
        counts_[c] = sums_.counts[static_cast<std::size_t>(part.stop) * m + c] -
                     sums_.counts[static_cast<std::size_t>(part.start) * m + c];
    const double ratio = loss(static_cast<double>(n), wider) / price;
    if (ratio < std::min(worst, least) && problem_.is_long_enough(order_.back(), part) && counts_hold()) least = ratio;
}

double BoxRatios::loss(double n, double extent) const {
    if (problem_.loss == LossKind::discernibility) return n * n;
    if (problem_.loss != LossKind::classification) return n * extent;
    return n - static_cast<double>(*std::max_element(counts_.begin(), counts_.begin() + problem_.n_classes));
}

// The extent of a box with a part of one more attribute: unit cells, or widths together.
double BoxRatios::with(index_t column, const Span& part, double extent) const {
    if (problem_.loss == LossKind::volume) return extent * static_cast<double>(part.stop - part.start);
    return problem_.loss == LossKind::certainty ? extent + problem_.width(column, part) : extent;
}

bool BoxRatios::counts_hold() const {
    return std::all_of(tests_.begin(), tests_.end(), [&](const BlockTest& test) { return test.holds(counts_.data()); });
}

}  // namespace shoal
