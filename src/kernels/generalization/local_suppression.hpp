// Blanks cells until every record is released like k - 1 others. A blank is a value of its own: it equals only a blank.
#pragma once

#include <vector>

#include "generalization/combinations.hpp"

namespace shoal {

class LocalSuppression {
public:
    // ``patterns``: sets of columns from cheap to expensive, lower bits first on ties; the last one is all columns.
    LocalSuppression(Combinations combinations, std::vector<Columns> patterns, index_t k);

    // Tries n more offers; returns how many are left. All records together must be k or more.
    index_t step(index_t n);

    // Moves records to classes where fewer of their cells are blank, and dissolves classes that all members can leave.
    // Returns whether anything changed.
    bool improve();

    // Some records of a combination, and the columns that are blank for them.
    struct Part {
        index_t combination;
        Columns blanked;
        index_t n;
        index_t class_id;
    };
    const std::vector<Part>& parts() const { return parts_; }

private:
    // Classes of ``least`` unassigned records are formed with this pattern, filled up with records of larger classes.
    struct Offer {
        double price;  // cells to blank for every record that is assigned
        index_t pattern;
        index_t least;
    };
    struct Transfer {
        index_t part;
        index_t group;
        index_t n;
    };
    struct Move {
        double cost;
        index_t class_id;  // -1: there is none
        Columns blanked;
    };

    void make_offers();
    void take(const Offer& offer);
    void borrow(const PackedKey& kept, Columns blanked);
    void assign_groups(const PackedKey& kept, Columns blanked);
    void join_classes();
    index_t n_joined(index_t combination, index_t class_id) const;
    double cost_of_joining(index_t combination, index_t class_id) const;
    void join(index_t combination, index_t class_id);
    void place(index_t combination, Columns blanked, index_t n, index_t class_id);
    Move cheapest_class(const Part& part, double below) const;
    bool leave(const std::vector<index_t>& members);
    bool dissolve(const std::vector<index_t>& members);
    void move(index_t part, const Move& to, index_t n);
    void drop_empty_parts();

    Combinations all_;
    std::vector<Columns> patterns_;
    std::vector<PackedKey> kept_;  // of every pattern
    std::vector<double> costs_;    // of every pattern, where no value is missing
    index_t k_;
    std::vector<Offer> offers_;
    std::size_t next_ = 0;

    std::vector<index_t> unassigned_;  // combinations
    std::vector<Part> parts_;
    std::vector<index_t> donors_;  // parts whose class may have more than k records
    KeyIndex classes_;
    std::vector<index_t> sizes_;  // records of every class: 0, or k and more

    KeyIndex groups_;               // of the unassigned, under the current pattern
    std::vector<index_t> found_;    // their records
    std::vector<index_t> lacking_;  // records that are missing to k
    std::vector<char> may_borrow_;  // whether the group may borrow
};

}  // namespace shoal
