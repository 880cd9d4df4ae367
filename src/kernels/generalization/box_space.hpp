// Boxes of the space of quasi-identifiers, their records, and the cost of every split of a box.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "generalization/attribute.hpp"
#include "generalization/block_cuts.hpp"
#include "generalization/block_tests.hpp"
#include "generalization/box_memory.hpp"

namespace shoal {

struct Span {
    index_t start, stop, node;
};
using Box = std::vector<Span>;  // one for every attribute

struct Sum {
    BoxKey key;
    index_t n = 0;       // records
    double floor = 0.0;  // what the records of a cell cost at least, in any block that holds

    Sum& operator+=(const Sum& other) { return key += other.key, n += other.n, floor += other.floor, *this; }
    Sum operator-(const Sum& other) const { return {key - other.key, n - other.n, floor - other.floor}; }
};

// Distinct combinations of codes as arrays that the caller owns.
struct CellArrays {
    const std::int32_t* codes;  // (n_cells, n_attributes)
    const index_t* n;           // (n_cells,) records
    const double* floors;       // (n_cells,) what the records of a cell cost at least
    const index_t* counts;      // (n_cells, n_counts)
    std::size_t n_cells;
};

// Distinct combinations of codes with what their records add up to.
struct Cells {
    std::vector<std::int32_t> codes;  // (n_cells, n_attributes)
    std::vector<Sum> sums;
    std::vector<index_t> counts;  // (n_cells, n_counts) records of every class and every sensitive value

    std::size_t size() const { return sums.size(); }
    void resize(std::size_t n_cells, std::size_t n_attributes, std::size_t n_counts);
    std::size_t n_bytes() const;
};

// A box with its cells and what lies before every code: a part of it is a difference of two. Records are known of every
// attribute; once counted, sums and counts of those with a split, for few boxes can be cut along all of them.
struct BoxCounts {
    Box box;
    Cells cells;
    std::vector<index_t> shift;  // (n_attributes,) what lies before a code stands at code + shift
    std::vector<index_t> n;      // records
    std::vector<Sum> sums;
    std::vector<index_t> counts;  // (_, n_counts)
    std::vector<Split> splits;    // those that leave enough records in every part

    index_t n_before(index_t column, index_t code) const { return n[shift[column] + code]; }
    index_t n_of(index_t column, const Span& part) const {
        return n_before(column, part.stop) - n_before(column, part.start);
    }
    Sum of(index_t column, const Span& part) const {
        return sums[shift[column] + part.stop] - sums[shift[column] + part.start];
    }
    std::size_t n_bytes() const;
};

// What the search knows of a problem before it starts.
struct Problem {
    std::vector<Attribute> attributes;
    std::vector<BlockTest> tests;
    std::vector<std::vector<double>> widths;  // per attribute: lows of the codes, their highs, widths of the nodes
    std::vector<bool> keeps;                  // attributes whose parts are not shrunk to their records
    LossKind loss;
    std::shared_ptr<UserAnswers> user_loss;  // of rows of records, classes, and start, stop and node of every attribute
    std::vector<double> least_of;            // (n_records + 1,) what so many cost at least; of a user's loss, and where
                                             // discernibility suppresses records
    index_t least, n_classes, n_counts;      // classes come first among the counts
    bool empty_blocks;
    double suppressed =
        std::numeric_limits<double>::infinity();  // what a suppressed record costs; none may be where infinite

    bool suppresses() const { return suppressed < std::numeric_limits<double>::infinity(); }
    // Of a part of an attribute, from 0 (one value) to the weight of the attribute (all).
    double width(index_t column, const Span& part) const;
    // Whether a part of an attribute has its minimum length, if there is one.
    bool is_long_enough(index_t column, const Span& part) const;
};

class BoxSpace {
public:
    explicit BoxSpace(Problem problem);

    const Problem& problem() const { return problem_; }
    index_t n_attributes() const { return static_cast<index_t>(problem_.attributes.size()); }

    BoxCounts whole(const CellArrays& cells);
    Sum total(const BoxCounts& box) const;

    // Its splits, and sums before every code of the attributes that have one.
    void count(BoxCounts& box);

    // The part of a box, shrunk to its records wherever nothing is kept.
    void enter(const BoxCounts& box, index_t column, const Span& part, BoxCounts& child);

    // The part of a box within `inside`, a box that is shrunk already.
    void enter(const BoxCounts& box, const Box& inside, BoxCounts& child);

    // Every split of a counted box; fn(split) of those whose parts with records all hold, or are suppressed where they
    // do not.
    template <class Function>
    void splits(const BoxCounts& box, Function fn) {
        for (const Split split : box.splits)
            if (is_allowed(box, split)) fn(split);
    }

    // The parts of a split: two of a line, or all children of a node.
    template <class Function>
    void parts(const BoxCounts& box, index_t column, index_t at, Function fn) const {
        const Span& span = box.box[column];
        if (at >= 0) {
            fn(Span{span.start, at, span.node});
            fn(Span{at, span.stop, span.node});
            return;
        }
        const Attribute& attribute = problem_.attributes[column];
        const index_t first = attribute.first_child[span.node];
        for (index_t child = first; child < first + attribute.n_children[span.node]; ++child)
            fn(Span{attribute.start[child], attribute.stop[child], child});
    }

    // What is kept of a box beside its records, as a key; and the key of a part.
    BoxKey kept_key(const Box& box) const;
    BoxKey part_key(const BoxCounts& box, const BoxKey& kept, index_t column, const Span& part, const Sum& sum) const;

    bool reads_extents() const {
        return problem_.loss != LossKind::discernibility && problem_.loss != LossKind::classification;
    }
    // The cost of a box as one block, which is suppressed where it does not hold.
    double as_block(const BoxCounts& box, const Sum& total);
    // Whether so many records could be more than one block.
    bool may_be_cut(index_t n) const { return n >= (problem_.suppresses() ? 1 : 2) * problem_.least; }
    double at_least(const Sum& sum) const;  // what records cost, however they are divided
    // Of a part that was not entered yet: the loss at least, and whether it is the loss.
    double lower_bound(const BoxCounts& box, index_t column, const Span& part, const Sum& sum, bool& is_exact);

    // The node and stretch that hold codes from `low` to `high`, as far down as can be.
    Span shrunk(index_t column, Span span, index_t low, index_t high) const;

private:
    // An attribute that is counted, and where.
    struct Place {
        index_t column, shift;
    };

    Rule rule(index_t column, const Span& span) const { return problem_.attributes[column].rule[span.node]; }
    void find_splits(BoxCounts& box);
    bool is_new(const BoxCounts& box, index_t column, index_t at) const;
    bool has_enough(const BoxCounts& box, Split split) const;
    bool is_allowed(const BoxCounts& box, Split split);
    bool holds(const BoxCounts& box, index_t column, const Span& part, index_t n);
    bool is_long_enough(const BoxCounts& box, index_t column, const Span& part) const;
    bool counts_hold() const;
    bool is_released(const BoxCounts& box, index_t n);
    bool is_worth_releasing(const BoxCounts& box, index_t column, const Span& part, index_t n);
    double loss(const BoxCounts& box, const Sum& total) const;
    void read_counts(const BoxCounts& box, index_t column, const Span& part);
    double extent(const Box& box) const;
    std::vector<index_t> class_counts(const Cells& cells) const;
    double user_loss(const BoxCounts& box, const Sum& total) const;
    std::size_t find_inside(const Cells& cells, index_t column, const Span& part);
    std::size_t keep_inside(const Cells& cells, std::size_t n_cells, index_t column, const Span& part);
    void copy_inside(const Cells& from, std::size_t n_cells, Cells& to) const;
    void count_records(BoxCounts& box);
    void lay_out(BoxCounts& box);
    index_t add_records(BoxCounts& box) const;
    bool parts_are_blocks(const BoxCounts& box) const;
    void add_sums(BoxCounts& box) const;
    void add_counts(BoxCounts& box) const;

    Problem problem_;
    bool is_defined_by_records_;  // of any box: nothing is kept, no extent is read
    std::vector<index_t> counts_;
    std::vector<Place> places_;
    std::vector<std::uint32_t> inside_;
};

}  // namespace shoal
