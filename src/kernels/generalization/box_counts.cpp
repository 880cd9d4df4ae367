// Prefix sums over the codes of a box, attribute by attribute: of records, by which the splits are found, then of the
// losses and the counts that the two parts of each split are tested by.
#include "generalization/box_space.hpp"

namespace shoal {

// Counts the records before every code of the box, then shrinks the box to the codes that occur.
void BoxSpace::count_records(BoxCounts& box) {
    lay_out(box);
    const index_t n_records = add_records(box);
    for (index_t j = 0; j < n_attributes(); ++j) {
        Span& span = box.box[j];
        index_t* before = box.n.data() + box.shift[j];
        index_t low = span.start, high = span.stop - 1;
        if (low == high) before[high + 1] = n_records;
        while (low < high && before[low + 1] == 0) ++low;
        while (low < high && before[high + 1] == 0) --high;
        for (index_t code = low; code < span.stop; ++code) before[code + 1] += before[code];
        if (!problem_.keeps[j]) span = shrunk(j, span, low, high);
    }
}

void BoxSpace::lay_out(BoxCounts& box) {
    box.shift.resize(box.box.size());
    places_.clear();
    index_t n_places = 0;
    for (index_t j = 0; j < n_attributes(); ++j) {
        box.shift[j] = n_places - box.box[j].start;
        if (box.box[j].stop - box.box[j].start > 1) places_.push_back({j, box.shift[j] + 1});
        n_places += box.box[j].stop - box.box[j].start + 1;
    }
    box.n.assign(n_places, 0);
}

// Adds the records of every cell at its code; returns the number of records.
index_t BoxSpace::add_records(BoxCounts& box) const {
    const auto d = static_cast<std::size_t>(n_attributes());
    index_t* const counted = box.n.data();
    const Place *const first = places_.data(), *const last = first + places_.size();
    const std::int32_t* codes = box.cells.codes.data();
    index_t n_records = 0;
    for (const Sum& sum : box.cells.sums) {
        const index_t n = sum.n;
        n_records += n;
        for (const Place* place = first; place != last; ++place) counted[place->shift + codes[place->column]] += n;
        codes += d;
    }
    return n_records;
}

void BoxSpace::count(BoxCounts& box) {
    find_splits(box);
    if (box.splits.empty()) return;
    places_.clear();
    for (const Split split : box.splits)
        if (places_.empty() || places_.back().column != split.column)
            places_.push_back({split.column, box.shift[split.column] + 1});
    box.sums.resize(box.n.size());
    box.counts.assign(box.n.size() * static_cast<std::size_t>(problem_.n_counts), 0);
    const bool are_blocks = parts_are_blocks(box);
    for (const Place& place : places_) {
        const Span& span = box.box[place.column];
        for (index_t at = place.shift - 1 + span.start; at < place.shift + span.stop; ++at)
            box.sums[at] = {{}, are_blocks ? box.n[at] : 0, 0.0};
    }
    if (!are_blocks) add_sums(box);
    if (problem_.n_counts > 0) add_counts(box);
}

// A box with enough records for two blocks but not for three: its parts are not divided further, so only their numbers
// of records are needed, and no hash to find them again.
bool BoxSpace::parts_are_blocks(const BoxCounts& box) const {
    return is_defined_by_records_ && !problem_.suppresses() && box.n_before(0, box.box[0].stop) < 3 * problem_.least;
}

void BoxSpace::find_splits(BoxCounts& box) {
    box.splits.clear();
    const auto take = [&](index_t column, index_t at) {
        const Split split{static_cast<std::int32_t>(column), static_cast<std::int32_t>(at)};
        if (has_enough(box, split)) box.splits.push_back(split);
    };
    for (index_t column = 0; column < n_attributes(); ++column) {
        const Span& span = box.box[column];
        if (rule(column, span) == Rule::all) take(column, -1);
        if (rule(column, span) != Rule::line) continue;
        for (index_t at = span.start + 1; at < span.stop; ++at)
            if (is_new(box, column, at)) take(column, at);
    }
}

// Cuts with no record between them divide the records alike: only the last is used, unless empty ranges are kept.
bool BoxSpace::is_new(const BoxCounts& box, index_t column, index_t at) const {
    return problem_.keeps[column] || box.n_before(column, at + 1) > box.n_before(column, at);
}

// Where records may be suppressed, enough for one block.
bool BoxSpace::has_enough(const BoxCounts& box, Split split) const {
    bool have_all = true, has_one = false;
    parts(box, split.column, split.at, [&](const Span& part) {
        const index_t n = box.n_of(split.column, part);
        const bool is_enough = n >= problem_.least;
        have_all = have_all && (n == 0 ? problem_.empty_blocks : is_enough || problem_.suppresses());
        has_one = has_one || is_enough;
    });
    return have_all && has_one;
}

void BoxSpace::add_sums(BoxCounts& box) const {
    const auto d = static_cast<std::size_t>(n_attributes());
    Sum* const counted = box.sums.data();
    const Place *const first = places_.data(), *const last = first + places_.size();
    const std::int32_t* codes = box.cells.codes.data();
    for (const Sum sum : box.cells.sums) {
        for (const Place* place = first; place != last; ++place) counted[place->shift + codes[place->column]] += sum;
        codes += d;
    }
    for (const Place& place : places_) {
        const Span& span = box.box[place.column];
        Sum* before = box.sums.data() + place.shift - 1;
        for (index_t code = span.start; code < span.stop; ++code) before[code + 1] += before[code];
    }
}

void BoxSpace::add_counts(BoxCounts& box) const {
    const auto d = static_cast<std::size_t>(n_attributes()), m = static_cast<std::size_t>(problem_.n_counts);
    for (std::size_t cell = 0; cell < box.cells.size(); ++cell) {
        const index_t* from = box.cells.counts.data() + cell * m;
        for (const Place& place : places_) {
            const auto at = static_cast<std::size_t>(place.shift + box.cells.codes[cell * d + place.column]);
            for (std::size_t c = 0; c < m; ++c) box.counts[at * m + c] += from[c];
        }
    }
    for (const Place& place : places_) {
        const Span& span = box.box[place.column];
        index_t* before = box.counts.data() + (place.shift - 1) * problem_.n_counts;
        for (std::size_t i = span.start * m; i < span.stop * m; ++i) before[i + m] += before[i];
    }
}

}  // namespace shoal
