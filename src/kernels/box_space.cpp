#include "box_space.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace shoal {

namespace {

constexpr std::size_t kFewCells = 48;  // joining them is not worth a look

double square(index_t n) { return static_cast<double>(n) * static_cast<double>(n); }

// Squares of n records that are divided evenly among as many blocks as there can be.
double evenly(index_t n, index_t least) {
    const index_t n_blocks = n / least, size = n / n_blocks, n_larger = n % n_blocks;
    return square(size) * static_cast<double>(n_blocks - n_larger) + square(size + 1) * static_cast<double>(n_larger);
}

}  // namespace

void Cells::clear() {
    codes.clear();
    n.clear();
    keys.clear();
    floors.clear();
    counts.clear();
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

void BoxSpace::count(Counted& box) const {
    const index_t d = n_attributes(), m = problem_.n_counts;
    std::vector<index_t> divided;
    box.first.resize(d);
    std::size_t n_sums = 0;
    for (index_t j = 0; j < d; ++j) {
        box.first[j] = n_sums;
        if (box.box[j].stop - box.box[j].start > 1 || rule(j, box.box[j]) == Rule::all) divided.push_back(j);
        n_sums += static_cast<std::size_t>(box.box[j].stop - box.box[j].start) + 1;
    }
    box.sums.assign(n_sums, Sum{});
    box.counts.assign(n_sums * static_cast<std::size_t>(m), 0);
    for (std::size_t cell = 0; cell < box.cells.size(); ++cell) {
        const std::int32_t* codes = box.cells.codes.data() + cell * static_cast<std::size_t>(d);
        const Sum sum{box.cells.keys[cell], box.cells.n[cell], box.cells.floors[cell]};
        for (const index_t j : divided) {
            const std::size_t place = box.first[j] + static_cast<std::size_t>(codes[j] - box.box[j].start) + 1;
            box.sums[place] += sum;
            for (index_t c = 0; c < m; ++c) box.counts[place * m + c] += box.cells.counts[cell * m + c];
        }
    }
    for (const index_t j : divided)
        for (index_t at = 1; at <= box.box[j].stop - box.box[j].start; ++at) {
            const std::size_t place = box.first[j] + static_cast<std::size_t>(at);
            box.sums[place] += box.sums[place - 1];
            for (index_t c = 0; c < m; ++c) box.counts[place * m + c] += box.counts[(place - 1) * m + c];
        }
}

// On a line the codes between two cuts that leave enough on both sides; of a taxonomy those below a node that has too
// few records for two blocks. Where the extent of a block counts no codes are alike.
void BoxSpace::join_inseparable(Counted& box) {
    if (reads_extents() || box.cells.size() < kFewCells) return;
    const index_t d = n_attributes(), least = problem_.least;
    joined_.resize(d);
    double n_left = 1.0;
    for (index_t j = 0; j < d; ++j) {
        const Span& span = box.box[j];
        const Attribute& attribute = problem_.attributes[j];
        auto& joined = joined_[j];
        joined.resize(span.stop - span.start);
        for (index_t code = span.start; code < span.stop; ++code) joined[code - span.start] = static_cast<std::int32_t>(code);
        const index_t n = box.before(j, span.stop).n;
        if (problem_.keeps[j] || (span.stop - span.start == 1)) {
            n_left *= static_cast<double>(span.stop - span.start);
            continue;
        }
        if (rule(j, span) == Rule::line) {
            index_t run = span.start;
            for (index_t code = span.start; code < span.stop; ++code) {
                joined[code - span.start] = static_cast<std::int32_t>(run);
                const index_t left = box.before(j, code + 1).n;
                if (left >= least && n - left >= least) run = code + 1;
            }
        } else {
            std::vector<index_t> below{span.node};
            while (!below.empty()) {
                const index_t node = below.back();
                below.pop_back();
                const index_t start = attribute.start[node], stop = attribute.stop[node];
                if (box.before(j, stop).n - box.before(j, start).n < 2 * least)
                    for (index_t code = start; code < stop; ++code) joined[code - span.start] = static_cast<std::int32_t>(start);
                else if (attribute.rule[node] == Rule::all)
                    for (index_t c = 0; c < attribute.n_children[node]; ++c) below.push_back(attribute.first_child[node] + c);
            }
        }
        index_t n_codes = 0;
        for (index_t code = span.start; code < span.stop; ++code) n_codes += joined[code - span.start] == code;
        n_left *= static_cast<double>(n_codes);
    }
    if (n_left > 1.5 * static_cast<double>(box.cells.size())) return;

    Cells& cells = box.cells;
    std::size_t n_places = 64, n_kept = 0;
    while (n_places < 2 * cells.size()) n_places *= 2;
    places_.assign(n_places, -1);
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        std::int32_t* codes = cells.codes.data() + cell * static_cast<std::size_t>(d);
        std::uint64_t hash = 0;
        for (index_t j = 0; j < d; ++j) {
            codes[j] = joined_[j][codes[j] - box.box[j].start];
            hash = (hash + static_cast<std::uint64_t>(codes[j])) * 0x9e3779b97f4a7c15ULL;
        }
        std::size_t place = (hash >> 20) & (n_places - 1);
        const auto same = [&](std::int32_t other) {
            return std::equal(codes, codes + d, cells.codes.data() + static_cast<std::size_t>(other * d));
        };
        while (places_[place] >= 0 && !same(places_[place])) place = (place + 1) & (n_places - 1);
        const bool is_first = places_[place] < 0;
        if (is_first) places_[place] = static_cast<std::int32_t>(n_kept++);
        const auto to = static_cast<std::size_t>(places_[place]);
        const std::size_t m = static_cast<std::size_t>(problem_.n_counts);
        if (is_first) {
            if (to == cell) continue;
            std::copy(codes, codes + d, cells.codes.data() + to * static_cast<std::size_t>(d));
            cells.n[to] = cells.n[cell];
            cells.keys[to] = cells.keys[cell];
            cells.floors[to] = cells.floors[cell];
            std::copy_n(cells.counts.data() + cell * m, m, cells.counts.data() + to * m);
        } else {
            cells.n[to] += cells.n[cell];
            cells.keys[to] += cells.keys[cell];
            cells.floors[to] += cells.floors[cell];
            for (std::size_t c = 0; c < m; ++c) cells.counts[to * m + c] += cells.counts[cell * m + c];
        }
    }
    cells.codes.resize(n_kept * static_cast<std::size_t>(d));
    cells.n.resize(n_kept);
    cells.keys.resize(n_kept);
    cells.floors.resize(n_kept);
    cells.counts.resize(n_kept * static_cast<std::size_t>(problem_.n_counts));
}

void BoxSpace::enter(const Counted& box, index_t column, const Span& part, Counted& child) const {
    const auto d = static_cast<std::size_t>(n_attributes()), m = static_cast<std::size_t>(problem_.n_counts);
    const Cells& from = box.cells;
    Cells& to = child.cells;
    to.clear();
    for (std::size_t cell = 0; cell < from.size(); ++cell) {
        const std::int32_t* codes = from.codes.data() + cell * d;
        if (codes[column] < part.start || codes[column] >= part.stop) continue;
        to.codes.insert(to.codes.end(), codes, codes + d);
        to.n.push_back(from.n[cell]);
        to.keys.push_back(from.keys[cell]);
        to.floors.push_back(from.floors[cell]);
        to.counts.insert(to.counts.end(), from.counts.data() + cell * m, from.counts.data() + (cell + 1) * m);
    }
    child.box = box.box;
    child.box[column] = part;
    shrink(child);
}

void BoxSpace::shrink(Counted& box) const {
    const auto d = static_cast<std::size_t>(n_attributes());
    std::vector<std::int32_t> low(d, std::numeric_limits<std::int32_t>::max()), high(d, -1);
    for (std::size_t cell = 0; cell < box.cells.size(); ++cell)
        for (std::size_t j = 0; j < d; ++j) {
            const std::int32_t code = box.cells.codes[cell * d + j];
            low[j] = std::min(low[j], code);
            high[j] = std::max(high[j], code);
        }
    for (std::size_t j = 0; j < d; ++j)
        if (!problem_.keeps[j]) box.box[j] = shrunk(static_cast<index_t>(j), box.box[j], low[j], high[j]);
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
        for (const index_t number : {box[j].start, box[j].stop, box[j].node})
            one = key_of(one.high ^ static_cast<std::uint64_t>(number)) + key_of(one.low + static_cast<std::uint64_t>(number));
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

double BoxSpace::loss(const Counted& box, const Sum& total) const {
    switch (problem_.loss) {
        case Loss::discernibility: return square(total.n);
        case Loss::classification: {
            index_t most = 0;
            for (index_t c = 0; c < problem_.n_classes; ++c) {
                index_t n = 0;
                for (std::size_t cell = 0; cell < box.cells.size(); ++cell) n += box.cells.counts[cell * problem_.n_counts + c];
                most = std::max(most, n);
            }
            return static_cast<double>(total.n - most);
        }
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
            return static_cast<double>(sum.n - *std::max_element(counts_.begin(), counts_.begin() + problem_.n_classes));
        default:
            is_exact = false;
            return sum.floor;
    }
}

}  // namespace shoal
