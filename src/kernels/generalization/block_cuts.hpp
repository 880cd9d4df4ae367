// All cuts that one block could take, in the order in which they are tried.
#pragma once

#include <vector>

#include "generalization/profile.hpp"
#include "generalization/user_rule.hpp"

namespace shoal {

// How the next cut is chosen: at the median of the column that spreads the records widest; the same with equal records
// going to either side; or the cut after which the loss is least.
//
// Discernibility alone would take the most even cut there is, and come to blocks that no cut divides. So cuts are
// compared by what their parts come to at best, n^2 / floor(n / 1.1 least); and as long as a block is large the columns
// that are least even are cut first, since they have few cuts to offer later. The median, too, gives way in small blocks.
enum class CutChoice { median, halves, least_loss };
enum class LossKind { discernibility, classification, volume, certainty, user };

// What n records of one block cost by discernibility.
inline double square_of(index_t n) { return static_cast<double>(n) * static_cast<double>(n); }

// `at`: on a line the first code of the right side; of subsets how many values go left, the most frequent ones first.
struct Cut {
    bool is_free = false;      // all records stay together and their extent shrinks: tried first
    double column_rank = 0.0;  // lower columns first; 0 where only the cuts count
    double rank = 0.0;         // the loss after the cut, or the least that can be reached after it
    double squares = 0.0;      // of the sizes of the parts: of cuts alike the most even one
    index_t column = 0;
    index_t at = 0;

    bool operator<(const Cut& other) const;
};

class BlockCuts {
public:
    // `user_loss`: of LossKind::user, of rows of records, classes, and start, stop and node on every column.
    BlockCuts(const std::vector<Attribute>& attributes, CodedRows rows, CutChoice choice, LossKind loss, index_t least,
              UserRule user_loss);

    // Cuts that leave no side with fewer than `least` records, unless it has none; best first.
    std::vector<Cut> of(const Block& block, const index_t* order);

    // The parts that a cut makes of a part; of subsets the codes that no record has go to the second.
    std::vector<Part> parts(const Block& block, const index_t* order, const Cut& cut);

    // The child that every row goes to, in the order of the block.
    std::vector<index_t> children(const Block& block, const index_t* order, const Cut& cut,
                                  const std::vector<Part>& parts) const;

private:
    // The sides of cuts whose losses a user's rule is asked for, all of a block together.
    struct Sides {
        std::vector<index_t> numbers;
        std::vector<std::size_t> cuts;  // that each is a side of
    };

    void cuts_between(const Block& block, index_t column, std::vector<Cut>& found);
    void halves(const Block& block, index_t column, std::vector<Cut>& found) const;
    void cut_into_all(const Block& block, index_t column, std::vector<Cut>& found);
    double rank_of_column(const Block& block, index_t column) const;
    double width_of_records(const Block& block, index_t column) const;
    double rank(const Block& block, index_t column, const Part& part, index_t n, const index_t* classes) const;
    double at_best(index_t n) const;
    double loss(const Block& block, index_t column, const Part& part, index_t n, const index_t* classes) const;
    bool asks_user() const { return loss_ == LossKind::user && choice_ == CutChoice::least_loss; }
    void add_side(const Block& block, index_t column, const Part& part, index_t n, const index_t* classes,
                  std::size_t cut);
    void drop_sides(std::size_t cut);
    void ask_user(std::vector<Cut>& cuts);
    Part side(const Part& part, index_t at, bool right, bool is_line) const;

    const std::vector<Attribute>& attributes_;
    CodedRows rows_;
    CutChoice choice_;
    LossKind loss_;
    index_t least_;
    UserRule user_loss_;
    Sides sides_;
    Profile profile_;
};

}  // namespace shoal
