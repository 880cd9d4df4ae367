#include "box_space.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace shoal {

namespace {

double square(index_t n) { return static_cast<double>(n) * static_cast<double>(n); }

// Squares of n records that are divided evenly among as many blocks as there can be.
double evenly(index_t n, index_t least) {
    const index_t n_blocks = n / least, size = n / n_blocks, n_larger = n % n_blocks;
    return square(size) * static_cast<double>(n_blocks - n_larger) + square(size + 1) * static_cast<double>(n_larger);
}

}  // namespace

void Cells::resize(std::size_t n_cells, std::size_t n_attributes, std::size_t n_counts) {
    codes.resize(n_cells * n_attributes);
    n.resize(n_cells);
    keys.resize(n_cells);
    floors.resize(n_cells);
    counts.resize(n_cells * n_counts);
}

std::size_t Cells::n_bytes() const {
    return codes.capacity() * sizeof(std::int32_t) + n.capacity() * sizeof(index_t) + keys.capacity() * sizeof(Key) +
           floors.capacity() * sizeof(double) + counts.capacity() * sizeof(index_t);
}

std::size_t Counted::n_bytes() const {
    return cells.n_bytes() + sums.capacity() * sizeof(Sum) + counts.capacity() * sizeof(index_t);
}

Counted BoxSpace::whole(const std::int32_t* codes, const index_t* n, const double* floors, const index_t* counts,
                        std::size_t n_cells) {
    Counted all;
    const auto d = static_cast<std::size_t>(n_attributes()), m = static_cast<std::size_t>(problem_.n_counts);
    all.cells.codes.assign(codes, codes + n_cells * d);
    all.cells.n.assign(n, n + n_cells);
    all.cells.floors.assign(floors, floors + n_cells);
    all.cells.counts.assign(counts, counts + n_cells * m);
    for (std::size_t cell = 0; cell < n_cells; ++cell) all.cells.keys.push_back(key_of(cell));
    for (const Attribute& attribute : problem_.attributes) all.box.push_back({0, attribute.n_codes(), 0});
    shrink(all);
    return all;
}

Sum BoxSpace::total(const Counted& box) const {
    Sum sum;
    for (std::size_t cell = 0; cell < box.cells.size(); ++cell)
        sum += {box.cells.keys[cell], box.cells.n[cell], box.cells.floors[cell]};
    return sum;
}

void BoxSpace::count(Counted& box) {
    const auto d = static_cast<std::size_t>(n_attributes()), m = static_cast<std::size_t>(problem_.n_counts);
    divided_.clear();
    box.first.resize(d);
    index_t n_sums = 0;
    for (std::size_t j = 0; j < d; ++j) {
        const Span& span = box.box[j];
        box.first[j] = static_cast<std::size_t>(n_sums);
        if (span.stop - span.start > 1 || rule(static_cast<index_t>(j), span) == Rule::all)
            divided_.push_back({j, n_sums - span.start + 1, n_sums, n_sums + span.stop - span.start});
        n_sums += span.stop - span.start + 1;
    }
    box.sums.assign(n_sums, Sum{});
    box.counts.assign(n_sums * m, 0);
    Sum* sums = box.sums.data();
    for (std::size_t cell = 0; cell < box.cells.size(); ++cell) {
        const std::int32_t* codes = box.cells.codes.data() + cell * d;
        const Sum sum{box.cells.keys[cell], box.cells.n[cell], box.cells.floors[cell]};
        for (const Divided& one : divided_) sums[one.shift + codes[one.column]] += sum;
        if (m > 0) add_counts(box, cell);
    }
    for (const Divided& one : divided_)
        for (index_t at = one.first; at < one.last; ++at) {
            sums[at + 1] += sums[at];
            for (std::size_t c = 0; c < m; ++c) box.counts[(at + 1) * m + c] += box.counts[at * m + c];
        }
}

void BoxSpace::add_counts(Counted& box, std::size_t cell) const {
    const auto d = static_cast<std::size_t>(n_attributes()), m = static_cast<std::size_t>(problem_.n_counts);
    const index_t* from = box.cells.counts.data() + cell * m;
    for (const Divided& one : divided_) {
        const index_t place = one.shift + box.cells.codes[cell * d + one.column];
        index_t* to = box.counts.data() + static_cast<std::size_t>(place) * m;
        for (std::size_t c = 0; c < m; ++c) to[c] += from[c];
    }
}

void BoxSpace::enter(const Counted& box, index_t column, const Span& part, Counted& child) {
    const auto d = static_cast<std::size_t>(n_attributes()), m = static_cast<std::size_t>(problem_.n_counts);
    const Cells& from = box.cells;
    Cells& to = child.cells;
    to.resize(from.size(), d, m);
    std::size_t n_cells = 0;
    for (std::size_t cell = 0; cell < from.size(); ++cell) {
        const std::int32_t* codes = from.codes.data() + cell * d;
        if (codes[column] < part.start || codes[column] >= part.stop) continue;
        std::copy_n(codes, d, to.codes.data() + n_cells * d);
        to.n[n_cells] = from.n[cell];
        to.keys[n_cells] = from.keys[cell];
        to.floors[n_cells] = from.floors[cell];
        std::copy_n(from.counts.data() + cell * m, m, to.counts.data() + n_cells * m);
        ++n_cells;
    }
    to.resize(n_cells, d, m);
    child.box = box.box;
    child.box[column] = part;
    shrink(child);
}

void BoxSpace::shrink(Counted& box) {
    const auto d = static_cast<std::size_t>(n_attributes());
    low_.assign(d, std::numeric_limits<std::int32_t>::max());
    high_.assign(d, -1);
    for (std::size_t cell = 0; cell < box.cells.size(); ++cell) {
        const std::int32_t* codes = box.cells.codes.data() + cell * d;
        for (std::size_t j = 0; j < d; ++j) {
            low_[j] = std::min(low_[j], codes[j]);
            high_[j] = std::max(high_[j], codes[j]);
        }
    }
    for (std::size_t j = 0; j < d; ++j)
        if (!problem_.keeps[j]) box.box[j] = shrunk(static_cast<index_t>(j), box.box[j], low_[j], high_[j]);
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

// Between two cuts without a record in between there is no difference, unless it is kept: the last one stands for all.
bool BoxSpace::is_new(const Counted& box, index_t column, index_t at) const {
    return problem_.keeps[column] || box.before(column, at + 1).n > box.before(column, at).n;
}

bool BoxSpace::is_allowed(const Counted& box, index_t column, index_t at) {
    bool is_allowed = true;
    parts(box, column, at, [&](const Span& part) {
        if (!is_allowed) return;
        const index_t n = box.before(column, part.stop).n - box.before(column, part.start).n;
        is_allowed = n == 0 ? problem_.empty_blocks : n >= problem_.least;
    });
    if (!is_allowed || problem_.tests.empty()) return is_allowed;
    parts(box, column, at, [&](const Span& part) {
        const index_t n = box.before(column, part.stop).n - box.before(column, part.start).n;
        is_allowed = is_allowed && (n == 0 || holds(box, column, part, n));
    });
    return is_allowed;
}

bool BoxSpace::holds(const Counted& box, index_t column, const Span& part, index_t n) {
    if (n < problem_.least) return false;
    read_counts(box, column, part);
    for (const BlockTest& test : problem_.tests) {
        const Span& span = test.column == column ? part : box.box[std::max<index_t>(test.column, 0)];
        const bool held = test.kind == Test::length
                              ? test.holds(problem_.attributes[test.column], span.start, span.stop, span.node)
                              : test.holds(counts_.data());
        if (!held) return false;
    }
    return true;
}

void BoxSpace::read_counts(const Counted& box, index_t column, const Span& part) {
    const auto m = static_cast<std::size_t>(problem_.n_counts);
    const std::size_t start = box.first[column] + static_cast<std::size_t>(part.start - box.box[column].start);
    const std::size_t stop = box.first[column] + static_cast<std::size_t>(part.stop - box.box[column].start);
    for (std::size_t c = 0; c < m; ++c) counts_[c] = box.counts[stop * m + c] - box.counts[start * m + c];
}

Key BoxSpace::kept_key(const Box& box) const {
    Key key;
    for (index_t j = 0; j < n_attributes(); ++j) {
        if (!problem_.keeps[j]) continue;
        Key one = key_of((std::uint64_t{1} << 62) + static_cast<std::uint64_t>(j));
        for (const index_t number : {box[j].start, box[j].stop, box[j].node}) {
            const auto word = static_cast<std::uint64_t>(number);
            one = key_of(one.high ^ word) + key_of(one.low + word);
        }
        key += one;
    }
    return key;
}

Key BoxSpace::part_key(const Counted& box, const Key& kept, index_t column, const Span& part, const Sum& sum) const {
    if (!problem_.keeps[column]) return sum.key + kept;
    Box changed = box.box;
    changed[column] = part;
    return sum.key + kept_key(changed);
}

double BoxSpace::width(index_t column, const Span& span) const {
    const auto& widths = problem_.widths[column];
    const index_t n_codes = problem_.attributes[column].n_codes();
    if (rule(column, span) == Rule::line) return widths[n_codes + span.stop - 1] - widths[span.start];
    return widths[2 * n_codes + span.node];
}

// Unit cells that a box covers, or the widths of its parts together.
double BoxSpace::extent(const Box& box) const {
    const bool is_volume = problem_.loss == Loss::volume;
    double extent = is_volume ? 1.0 : 0.0;
    for (index_t j = 0; j < n_attributes(); ++j) {
        if (is_volume)
            extent *= static_cast<double>(box[j].stop - box[j].start);
        else
            extent += width(j, box[j]);
    }
    return extent;
}

// Records of the most frequent class.
index_t BoxSpace::majority(const Cells& cells) const {
    std::vector<index_t> n(problem_.n_classes, 0);
    for (std::size_t cell = 0; cell < cells.size(); ++cell)
        for (index_t c = 0; c < problem_.n_classes; ++c) n[c] += cells.counts[cell * problem_.n_counts + c];
    return *std::max_element(n.begin(), n.end());
}

double BoxSpace::loss(const Counted& box, const Sum& total) const {
    switch (problem_.loss) {
        case Loss::discernibility: return square(total.n);
        case Loss::classification: return static_cast<double>(total.n - majority(box.cells));
        default: return static_cast<double>(total.n) * extent(box.box);
    }
}

double BoxSpace::at_least(const Sum& sum) const {
    return problem_.loss == Loss::discernibility ? std::max(evenly(sum.n, problem_.least), sum.floor) : sum.floor;
}

// A part of fewer records than two blocks need is a block, unless it could still be shrunk.
double BoxSpace::lower_bound(const Counted& box, index_t column, const Span& part, const Sum& sum, bool& is_exact) {
    const bool is_block = sum.n < 2 * problem_.least;
    switch (problem_.loss) {
        case Loss::discernibility:
            is_exact = is_block;
            return is_block ? square(sum.n) : at_least(sum);
        case Loss::classification:
            is_exact = is_block;
            if (!is_block) return sum.floor;
            read_counts(box, column, part);
            return static_cast<double>(sum.n - *std::max_element(counts_.data(), counts_.data() + problem_.n_classes));
        default:
            is_exact = false;
            return sum.floor;
    }
}

}  // namespace shoal
