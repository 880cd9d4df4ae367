#include "generalization/profile.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace shoal {

// By whichever way is shorter.
void Profile::read(const CodedRows& rows, const Block& block, const index_t* order, index_t column) {
    entries.clear();
    classes.clear();
    const Part& part = block.parts[column];
    if (part.stop - part.start <= 4 * (block.end - block.begin) + 64)
        by_histogram(rows, block, order, column);
    else
        by_sorting(rows, block, order, column);
}

void Profile::by_histogram(const CodedRows& rows, const Block& block, const index_t* order, index_t column) {
    const Part& part = block.parts[column];
    const index_t range = part.stop - part.start, n_classes = rows.n_classes;
    histogram_.assign(range, 0);
    class_histogram_.assign(range * n_classes, 0);
    for (index_t at = block.begin; at < block.end; ++at) {
        const index_t row = order[at], code = rows.code(row, column) - part.start;
        histogram_[code] += rows.n[row];
        if (n_classes) class_histogram_[code * n_classes + rows.classes[row]] += rows.n[row];
    }
    for (index_t code = 0; code < range; ++code) {
        if (!histogram_[code]) continue;
        entries.push_back({code + part.start, histogram_[code]});
        const auto first = class_histogram_.begin() + code * n_classes;
        classes.insert(classes.end(), first, first + n_classes);
    }
}

void Profile::by_sorting(const CodedRows& rows, const Block& block, const index_t* order, index_t column) {
    const index_t n_classes = rows.n_classes;
    histogram_.clear();
    std::copy_if(order + block.begin, order + block.end, std::back_inserter(histogram_),
                 [&](index_t row) { return rows.n[row] > 0; });
    std::sort(histogram_.begin(), histogram_.end(),
              [&](index_t a, index_t b) { return rows.code(a, column) < rows.code(b, column); });
    for (const index_t row : histogram_) {
        const index_t code = rows.code(row, column);
        if (entries.empty() || entries.back().code != code) {
            entries.push_back({code, 0});
            classes.resize(classes.size() + n_classes, 0);
        }
        entries.back().n += rows.n[row];
        if (n_classes) classes[classes.size() - n_classes + rows.classes[row]] += rows.n[row];
    }
}

void Profile::most_frequent_first() {
    const std::size_t n_classes = entries.empty() ? 0 : classes.size() / entries.size();
    std::vector<std::size_t> order(entries.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return entries[a].n > entries[b].n; });
    std::vector<Entry> sorted;
    std::vector<index_t> sorted_classes;
    for (const std::size_t at : order) {
        sorted.push_back(entries[at]);
        const auto first = classes.begin() + static_cast<std::ptrdiff_t>(at * n_classes);
        sorted_classes.insert(sorted_classes.end(), first, first + static_cast<std::ptrdiff_t>(n_classes));
    }
    entries = std::move(sorted);
    classes = std::move(sorted_classes);
}

}  // namespace shoal
