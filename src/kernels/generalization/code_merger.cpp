#include "generalization/code_merger.hpp"

#include <algorithm>
#include <numeric>

namespace shoal {

namespace {

constexpr std::size_t kFewCells = 48;  // joining them is not worth a look
constexpr double kWorthwhile = 1.5;    // combinations of joined codes per cell: with more of them few cells are joined

void move_cell(Cells& cells, std::size_t from, std::size_t to, std::size_t d, std::size_t m) {
    std::copy_n(cells.codes.begin() + from * d, d, cells.codes.begin() + to * d);
    cells.sums[to] = cells.sums[from];
    std::copy_n(cells.counts.begin() + from * m, m, cells.counts.begin() + to * m);
}

void add_cell(Cells& cells, std::size_t from, std::size_t to, std::size_t m) {
    cells.sums[to] += cells.sums[from];
    for (std::size_t c = 0; c < m; ++c) cells.counts[to * m + c] += cells.counts[from * m + c];
}

}  // namespace

void CodeMerger::join(BoxCounts& box) {
    const bool reads_records = problem_.loss == LossKind::discernibility || problem_.loss == LossKind::classification;
    if (!reads_records || box.cells.size() < kFewCells) return;
    double n_combinations = 1.0;
    for (std::size_t j = 0; j < joined_.size(); ++j) n_combinations *= join_codes(box, static_cast<index_t>(j));
    if (n_combinations <= kWorthwhile * static_cast<double>(box.cells.size())) join_cells(box);
}

// How many codes are left.
double CodeMerger::join_codes(const BoxCounts& box, index_t column) {
    const Span& span = box.box[column];
    auto& joined = joined_[column];
    joined.resize(span.stop - span.start);
    std::iota(joined.begin(), joined.end(), static_cast<std::int32_t>(span.start));
    if (!problem_.keeps[column] && joined.size() > 1) {
        if (problem_.attributes[column].rule[span.node] == Rule::line)
            join_line(box, column);
        else
            join_nodes(box, column);
    }
    double n_left = 0.0;
    for (index_t code = span.start; code < span.stop; ++code) n_left += joined[code - span.start] == code;
    return n_left;
}

// Codes between two cuts that leave enough records on both sides.
void CodeMerger::join_line(const BoxCounts& box, index_t column) {
    const Span& span = box.box[column];
    const index_t n = box.n_before(column, span.stop);
    index_t run = span.start;
    for (index_t code = span.start; code < span.stop; ++code) {
        joined_[column][code - span.start] = static_cast<std::int32_t>(run);
        const index_t left = box.n_before(column, code + 1);
        if (left >= problem_.least && n - left >= problem_.least) run = code + 1;
    }
}

// Codes below a node that has too few records for two blocks.
void CodeMerger::join_nodes(const BoxCounts& box, index_t column) {
    const Attribute& attribute = problem_.attributes[column];
    std::vector<index_t> below{box.box[column].node};
    while (!below.empty()) {
        const index_t node = below.back(), start = attribute.start[node], stop = attribute.stop[node];
        below.pop_back();
        const index_t shift = box.box[column].start;
        if (box.n_before(column, stop) - box.n_before(column, start) < 2 * problem_.least)
            std::fill_n(joined_[column].begin() + (start - shift), stop - start, static_cast<std::int32_t>(start));
        else if (attribute.rule[node] == Rule::all)
            for (index_t c = 0; c < attribute.n_children[node]; ++c) below.push_back(attribute.first_child[node] + c);
    }
}

void CodeMerger::join_cells(BoxCounts& box) {
    Cells& cells = box.cells;
    const std::size_t d = joined_.size(), m = static_cast<std::size_t>(problem_.n_counts);
    kept_.clear(static_cast<index_t>(cells.size()));
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        std::int32_t* codes = cells.codes.data() + cell * d;
        std::uint64_t hash = 0;
        for (std::size_t j = 0; j < d; ++j) {
            codes[j] = joined_[j][codes[j] - box.box[j].start];
            hash = (hash + static_cast<std::uint64_t>(codes[j])) * 0x9e3779b97f4a7c15ULL;
        }
        const auto is_equal = [&](index_t kept) {
            return std::equal(codes, codes + d, cells.codes.data() + static_cast<std::size_t>(kept) * d);
        };
        const auto n_kept = static_cast<std::size_t>(kept_.size());
        const auto kept = static_cast<std::size_t>(kept_.number(hash >> 20, is_equal));
        if (kept < n_kept)
            add_cell(cells, cell, kept, m);
        else if (kept != cell)
            move_cell(cells, cell, kept, d, m);
    }
    cells.resize(static_cast<std::size_t>(kept_.size()), d, m);
}

}  // namespace shoal
