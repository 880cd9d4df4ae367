#include "generalization/box_space.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace shoal {

namespace {

// Squares of n records that are divided evenly among as many blocks as there can be.
double evenly(index_t n, index_t least) {
    const index_t n_blocks = std::max<index_t>(n / least, 1), size = n / n_blocks, n_larger = n % n_blocks;
    return square_of(size) * static_cast<double>(n_blocks - n_larger) +
           square_of(size + 1) * static_cast<double>(n_larger);
}

}  // namespace

void Cells::resize(std::size_t n_cells, std::size_t n_attributes, std::size_t n_counts) {
    codes.resize(n_cells * n_attributes);
    sums.resize(n_cells);
    counts.resize(n_cells * n_counts);
}

std::size_t Cells::n_bytes() const {
    return codes.size() * sizeof(std::int32_t) + sums.size() * sizeof(Sum) + counts.size() * sizeof(index_t);
}

std::size_t BoxCounts::n_bytes() const {
    return cells.n_bytes() + sums.size() * sizeof(Sum) + (n.size() + counts.size()) * sizeof(index_t);
}

double Problem::width(index_t column, const Span& part) const {
    const Attribute& attribute = attributes[column];
    const double* const low = widths[column].data();
    const double* const high = low + attribute.n_codes();
    if (attribute.rule[part.node] == Rule::line) return high[part.stop - 1] - low[part.start];
    return high[attribute.n_codes() + part.node];
}

bool Problem::is_long_enough(index_t column, const Span& part) const {
    return std::all_of(tests.begin(), tests.end(), [&](const BlockTest& test) {
        return test.kind != TestKind::length || test.column != column ||
               test.holds(attributes[column], part.start, part.stop, part.node);
    });
}

BoxSpace::BoxSpace(Problem problem) : problem_(std::move(problem)), counts_(problem_.n_counts) {
    const auto& keeps = problem_.keeps;
    is_defined_by_records_ = !reads_extents() && std::find(keeps.begin(), keeps.end(), true) == keeps.end();
}

BoxCounts BoxSpace::whole(const CellArrays& cells) {
    BoxCounts all;
    const auto d = static_cast<std::size_t>(n_attributes()), m = static_cast<std::size_t>(problem_.n_counts);
    all.cells.codes.assign(cells.codes, cells.codes + cells.n_cells * d);
    all.cells.counts.assign(cells.counts, cells.counts + cells.n_cells * m);
    for (std::size_t cell = 0; cell < cells.n_cells; ++cell)
        all.cells.sums.push_back({key_of(cell), cells.n[cell], cells.floors[cell]});
    for (const Attribute& attribute : problem_.attributes) all.box.push_back({0, attribute.n_codes(), 0});
    count_records(all);
    return all;
}

Sum BoxSpace::total(const BoxCounts& box) const {
    Sum sum;
    for (const Sum& one : box.cells.sums) sum += one;
    return sum;
}

void BoxSpace::enter(const BoxCounts& box, index_t column, const Span& part, BoxCounts& child) {
    copy_inside(box.cells, find_inside(box.cells, column, part), child.cells);
    child.box = box.box;
    child.box[column] = part;
    count_records(child);
}

void BoxSpace::enter(const BoxCounts& box, const Box& inside, BoxCounts& child) {
    inside_.resize(box.cells.size());
    std::iota(inside_.begin(), inside_.end(), 0U);
    std::size_t n_cells = inside_.size();
    for (index_t j = 0; j < n_attributes(); ++j)
        if (inside[j].start > box.box[j].start || inside[j].stop < box.box[j].stop)
            n_cells = keep_inside(box.cells, n_cells, j, inside[j]);
    copy_inside(box.cells, n_cells, child.cells);
    child.box = inside;
    count_records(child);
}

void BoxSpace::copy_inside(const Cells& from, std::size_t n_cells, Cells& to) const {
    const auto d = static_cast<std::size_t>(n_attributes()), m = static_cast<std::size_t>(problem_.n_counts);
    to.resize(n_cells, d, m);
    for (std::size_t i = 0; i < n_cells; ++i) {
        const std::size_t cell = inside_[i];
        std::copy_n(from.codes.data() + cell * d, d, to.codes.data() + i * d);
        to.sums[i] = from.sums[cell];
    }
    for (std::size_t i = 0; m > 0 && i < n_cells; ++i)
        std::copy_n(from.counts.data() + inside_[i] * m, m, to.counts.data() + i * m);
}

// Of the first cells in inside_, those of a part; returns how many.
std::size_t BoxSpace::keep_inside(const Cells& cells, std::size_t n_cells, index_t column, const Span& part) {
    const auto d = static_cast<std::size_t>(n_attributes());
    std::size_t n_inside = 0;
    for (std::size_t i = 0; i < n_cells; ++i) {
        const std::uint32_t cell = inside_[i];
        const std::int32_t code = cells.codes[cell * d + static_cast<std::size_t>(column)];
        inside_[n_inside] = cell;
        n_inside += static_cast<std::size_t>((code >= part.start) & (code < part.stop));
    }
    return n_inside;
}

// The numbers of the cells of a part; returns how many. Without a branch: no processor could foresee it.
std::size_t BoxSpace::find_inside(const Cells& cells, index_t column, const Span& part) {
    const auto d = static_cast<std::size_t>(n_attributes());
    const auto start = static_cast<std::int32_t>(part.start), stop = static_cast<std::int32_t>(part.stop);
    inside_.resize(cells.size());
    std::uint32_t* inside = inside_.data();
    const std::int32_t* codes = cells.codes.data() + column;
    std::size_t n_inside = 0;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        const std::int32_t code = codes[cell * d];
        inside[n_inside] = static_cast<std::uint32_t>(cell);
        n_inside += static_cast<std::size_t>((code >= start) & (code < stop));
    }
    return n_inside;
}

Span BoxSpace::shrunk(index_t column, Span span, index_t low, index_t high) const {
    const Attribute& attribute = problem_.attributes[column];
    while (attribute.rule[span.node] == Rule::all) {
        index_t child = attribute.first_child[span.node];
        const index_t end = child + attribute.n_children[span.node];
        while (child < end && attribute.stop[child] <= low) ++child;
        if (child == end || attribute.stop[child] <= high) return span;
        span = {attribute.start[child], attribute.stop[child], child};
    }
    return attribute.rule[span.node] == Rule::line ? Span{low, high + 1, span.node} : span;
}

bool BoxSpace::is_allowed(const BoxCounts& box, Split split) {
    bool is_allowed = true;
    if (problem_.tests.empty()) return is_allowed;
    parts(box, split.column, split.at, [&](const Span& part) {
        const index_t n = box.n_of(split.column, part);
        is_allowed = is_allowed && (n == 0 || (problem_.suppresses() ? is_long_enough(box, split.column, part)
                                                                     : holds(box, split.column, part, n)));
    });
    return is_allowed;
}

bool BoxSpace::holds(const BoxCounts& box, index_t column, const Span& part, index_t n) {
    if (n < problem_.least) return false;
    read_counts(box, column, part);
    return counts_hold() && is_long_enough(box, column, part);
}

bool BoxSpace::is_long_enough(const BoxCounts& box, index_t column, const Span& part) const {
    for (index_t j = 0; j < n_attributes(); ++j)
        if (!problem_.is_long_enough(j, j == column ? part : box.box[j])) return false;
    return true;
}

// Whether what was read last holds.
bool BoxSpace::counts_hold() const {
    return std::all_of(problem_.tests.begin(), problem_.tests.end(), [&](const BlockTest& test) {
        return test.kind == TestKind::length || test.holds(counts_.data());
    });
}

// Whether a box is no block to be suppressed: lengths hold wherever a split was allowed.
bool BoxSpace::is_released(const BoxCounts& box, index_t n) {
    if (!problem_.suppresses()) return true;
    if (n < problem_.least) return false;
    std::fill(counts_.begin(), counts_.end(), 0);
    const auto m = static_cast<std::size_t>(problem_.n_counts);
    for (std::size_t i = 0; i < box.cells.counts.size(); ++i) counts_[i % m] += box.cells.counts[i];
    return counts_hold();
}

// Whether a part of fewer records than two blocks need is best released as one block: to suppress some of its records
// would cost more than the others gain.
bool BoxSpace::is_worth_releasing(const BoxCounts& box, index_t column, const Span& part, index_t n) {
    if (!problem_.suppresses()) return true;
    if (problem_.loss == LossKind::discernibility && problem_.suppressed < 2.0 * static_cast<double>(n)) return false;
    if (problem_.tests.empty()) return true;
    read_counts(box, column, part);
    return counts_hold();
}

void BoxSpace::read_counts(const BoxCounts& box, index_t column, const Span& part) {
    const auto m = static_cast<std::size_t>(problem_.n_counts);
    const auto start = static_cast<std::size_t>(box.shift[column] + part.start);
    const auto stop = static_cast<std::size_t>(box.shift[column] + part.stop);
    for (std::size_t c = 0; c < m; ++c) counts_[c] = box.counts[stop * m + c] - box.counts[start * m + c];
}

BoxKey BoxSpace::kept_key(const Box& box) const {
    BoxKey key;
    for (index_t j = 0; j < n_attributes(); ++j) {
        if (!problem_.keeps[j]) continue;
        BoxKey one = key_of((std::uint64_t{1} << 62) + static_cast<std::uint64_t>(j));
        for (const index_t number : {box[j].start, box[j].stop, box[j].node}) {
            const auto word = static_cast<std::uint64_t>(number);
            one = key_of(one.high ^ word) + key_of(one.low + word);
        }
        key += one;
    }
    return key;
}

BoxKey BoxSpace::part_key(const BoxCounts& box, const BoxKey& kept, index_t column, const Span& part,
                          const Sum& sum) const {
    if (!problem_.keeps[column]) return sum.key + kept;
    Box changed = box.box;
    changed[column] = part;
    return sum.key + kept_key(changed);
}

// Unit cells that a box covers, or the widths of its parts together.
double BoxSpace::extent(const Box& box) const {
    const bool is_volume = problem_.loss == LossKind::volume;
    double extent = is_volume ? 1.0 : 0.0;
    for (index_t j = 0; j < n_attributes(); ++j) {
        if (is_volume)
            extent *= static_cast<double>(box[j].stop - box[j].start);
        else
            extent += problem_.width(j, box[j]);
    }
    return extent;
}

std::vector<index_t> BoxSpace::class_counts(const Cells& cells) const {
    std::vector<index_t> n(problem_.n_classes, 0);
    for (std::size_t cell = 0; cell < cells.size(); ++cell)
        for (index_t c = 0; c < problem_.n_classes; ++c) n[c] += cells.counts[cell * problem_.n_counts + c];
    return n;
}

double BoxSpace::user_loss(const BoxCounts& box, const Sum& total) const {
    std::vector<index_t> row = class_counts(box.cells);
    row.insert(row.begin(), total.n);
    for (const Span& span : box.box) row.insert(row.end(), {span.start, span.stop, span.node});
    return problem_.user_loss->of(row);
}

double BoxSpace::as_block(const BoxCounts& box, const Sum& total) {
    return is_released(box, total.n) ? loss(box, total) : static_cast<double>(total.n) * problem_.suppressed;
}

double BoxSpace::loss(const BoxCounts& box, const Sum& total) const {
    switch (problem_.loss) {
        case LossKind::discernibility: return square_of(total.n);
        case LossKind::classification: {
            const auto n = class_counts(box.cells);
            return static_cast<double>(total.n - *std::max_element(n.begin(), n.end()));
        }
        case LossKind::user: return user_loss(box, total);
        default: return static_cast<double>(total.n) * extent(box.box);
    }
}

double BoxSpace::at_least(const Sum& sum) const {
    if (!problem_.least_of.empty()) return std::max(problem_.least_of[sum.n], sum.floor);
    return problem_.loss == LossKind::discernibility ? std::max(evenly(sum.n, problem_.least), sum.floor) : sum.floor;
}

// A part of fewer records than two blocks need is a block, unless it could still be shrunk; one of too few is suppressed.
double BoxSpace::lower_bound(const BoxCounts& box, index_t column, const Span& part, const Sum& sum, bool& is_exact) {
    if (problem_.suppresses() && sum.n < problem_.least) {
        is_exact = true;
        return static_cast<double>(sum.n) * problem_.suppressed;
    }
    const bool is_block = sum.n < 2 * problem_.least && is_worth_releasing(box, column, part, sum.n);
    switch (problem_.loss) {
        case LossKind::discernibility: is_exact = is_block; return is_block ? square_of(sum.n) : at_least(sum);
        case LossKind::classification:
            is_exact = is_block;
            if (!is_block) return sum.floor;
            read_counts(box, column, part);
            return static_cast<double>(sum.n - *std::max_element(counts_.data(), counts_.data() + problem_.n_classes));
        default: is_exact = false; return at_least(sum);
    }
}

}  // namespace shoal
