// What a block shows of one column: its codes, how many records have each, and of which classes they are.
#pragma once

#include <vector>

#include "generalization/attribute.hpp"

namespace shoal {

// Records by codes, with how many there are of each: code of row i in attribute j is codes[i * d + j].
struct CodedRows {
    const index_t* codes;
    const index_t* n;
    const index_t* classes;  // of every row, from 0 on; null where no loss reads them
    index_t n_rows, d, n_classes;

    index_t code(index_t row, index_t column) const { return codes[row * d + column]; }
};

struct Block {
    index_t begin, end;  // in the order of rows
    index_t total;       // records
    std::vector<Part> parts;
};

struct Profile {
    struct Entry {
        index_t code, n;
    };
    std::vector<Entry> entries;    // ascending codes that records have
    std::vector<index_t> classes;  // (n_entries, n_classes)

    void read(const CodedRows& rows, const Block& block, const index_t* order, index_t column);
    // The entries by their records, most first; of equally frequent values the lower code.
    void most_frequent_first();

private:
    void by_histogram(const CodedRows& rows, const Block& block, const index_t* order, index_t column);
    void by_sorting(const CodedRows& rows, const Block& block, const index_t* order, index_t column);

    std::vector<index_t> histogram_, class_histogram_;
};

}  // namespace shoal
