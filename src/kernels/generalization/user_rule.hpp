// A rule that a user wrote in Python, a requirement or a loss: rows of whole numbers in, a number for each of them out.
#pragma once

#include <functional>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/matrix.hpp"

namespace shoal {

// May be called on any thread.
using UserRule = std::function<std::vector<double>(const std::vector<index_t>& numbers, index_t n_rows)>;

// The answers of a rule to single rows. They are kept, as the same blocks recur in a search.
class UserAnswers {
public:
    explicit UserAnswers(UserRule rule) : rule_(std::move(rule)) {}

    double of(const std::vector<index_t>& row);

private:
    struct Hash {
        std::size_t operator()(const std::vector<index_t>& row) const;
    };

    UserRule rule_;
    std::mutex mutex_;  // never held while the rule is called: that waits for Python
    std::unordered_map<std::vector<index_t>, double, Hash> known_;
};

}  // namespace shoal
