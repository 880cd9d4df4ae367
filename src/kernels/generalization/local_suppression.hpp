// Blanks cells until every class has records of at least k different units. A blank is a value of its own: it equals
// only a blank.
#pragma once

#include <vector>

#include "generalization/class_units.hpp"
#include "generalization/combinations.hpp"

namespace shoal {

class LocalSuppression {
public:
    // ``patterns``: sets of columns from cheap to expensive, lower bits first on ties; the last one is all columns.
    LocalSuppression(Combinations combinations, std::vector<Columns> patterns, index_t k);

    // Tries n more offers; returns how many are left. There must be k units or more.
    index_t step(index_t n);

    // Moves records to classes where fewer of their cells are blank, and dissolves classes that all members can leave.
    // Returns whether anything changed.
    bool improve();

    // Forms new classes of blanked records that their classes can spare, where that blanks fewer cells.
    // Returns whether anything changed.
    bool regroup();

    // Some records of a combination, and the columns that are blank for them.
    struct Part {
        index_t combination;
        Columns blanked;
        index_t n;
        index_t class_id;
    };
    const std::vector<Part>& parts() const { return parts_; }

private:
    // Classes of ``least`` unassigned units are formed with this pattern, filled up with records of larger classes.
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
    struct Loan {
        index_t part;
        index_t group;
        index_t most;  // units that the group would gain
    };
    struct Move {
        double cost;
        index_t class_id;  // -1: there is none
        Columns blanked;
    };

    void make_offers();
    void add(index_t class_id, index_t combination, index_t n);
    void remove(index_t class_id, index_t combination, index_t n);
    index_t class_of(const PackedKey& key);
    index_t spare(const Part& part) const;
    bool is_new_in_group(index_t group, index_t combination);
    void take(const Offer& offer);
    void borrow(const PackedKey& kept, Columns blanked);
    void assign_groups(const PackedKey& kept, Columns blanked);
    void join_classes();
    bool joins_wholly(index_t combination, index_t class_id) const;
    index_t n_joined(index_t combination, index_t class_id) const;
    double cost_of_joining(index_t combination, index_t class_id) const;
    void join(index_t combination, index_t class_id);
    void place(index_t combination, Columns blanked, index_t n, index_t class_id);
    Move cheapest_class(const Part& part, double below) const;
    bool leave(const std::vector<index_t>& members);
    bool dissolve(const std::vector<index_t>& members);
    void find_groups_with_gain(const std::vector<index_t>& some, index_t pattern);
    bool form_class(const std::vector<index_t>& candidates, const PackedKey& key, index_t pattern);
    double gain(const Part& part, index_t pattern) const;
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
    std::vector<index_t> donors_;  // parts whose class may have more than k units
    KeyIndex classes_;
    ClassUnits sizes_;  // units of every class: 0, or k and more

    KeyIndex groups_;               // of the unassigned, under the current pattern
    KeyIndex group_units_;          // (group, unit) that were met
    std::vector<index_t> found_;    // units of every group
    std::vector<index_t> lacking_;  // units that are missing to k
    std::vector<char> may_borrow_;  // whether the group may borrow
};

}  // namespace shoal
