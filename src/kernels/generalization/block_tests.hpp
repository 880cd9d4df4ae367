// Requirements of a block, checked by its counts: the compiled twins of shoal.requirements.
#pragma once

#include <memory>
#include <vector>

#include "generalization/attribute.hpp"
#include "generalization/user_rule.hpp"

namespace shoal {

enum class TestKind {
    distinct,   // asked: values shown at least
    entropy,    // asked: least entropy
    recursive,  // asked: c; from: the value from which on the rest counts
    share,      // asked: largest share of one value
    equal,      // asked: largest earth mover's distance, all values 1 apart
    ordered,    // the same, neighbors in the order equally far apart
    tree,       // the same, by the levels of a taxonomy
    delta,      // asked: largest difference of logarithms of shares
    beta,       // asked: largest relative gain
    enhanced_beta,
    epsilon,  // asked: largest factor; from: records that are known (b); sigma: S
    length,   // asked: least length of the part of an attribute
    user      // the rule of a user: reads the records of a block, too
};

// Reads the counts of a sensitive column, `size` of them from `first` on; a length reads the part of an attribute.
struct BlockTest {
    TestKind kind;
    double asked, from, sigma;
    index_t first, size;
    std::vector<double> overall;       // (size,) shares of the whole; of a length: (n_codes + 1,) where codes end
    std::vector<index_t> tree;         // (n_levels, size) node of every value
    std::vector<double> node_lengths;  // of a length: of nodes that are no line
    index_t column;                    // of a length
    index_t total = -1;                // of a user's rule: where the records of a block are counted
    std::shared_ptr<UserAnswers> user = nullptr;  // (1 + size) records and counts -> not 0 where they hold

    bool holds(const index_t* counts) const;
    bool holds(const Attribute& attribute, index_t start, index_t stop, index_t node) const;

private:
    bool holds_for_user(const index_t* counts) const;
};

}  // namespace shoal
