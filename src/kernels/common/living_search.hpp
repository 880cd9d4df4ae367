// The living records, scanned or in a tree, whichever looks at fewer of them.
//
// A tree is tried first, given up where it looks at nearly everybody, and built anew when half of its records are gone,
// or three quarters in few columns. The answers are the same.
#pragma once

#include <memory>
#include <vector>

#include "common/living.hpp"

namespace shoal {

enum class Search { automatic, scan, tree };

class LivingSearch {
public:
    // All records of X live. X is read while the object lives.
    LivingSearch(Matrix X, Search search);

    index_t n_alive() const { return n_alive_; }
    bool alive(index_t record) const { return alive_[record]; }
    index_t lowest();  // living record

    void nearest_to(index_t record, Nearest& nearest);
    Candidate nearest_and_farthest(index_t record, Nearest& nearest);
    void remove(index_t record);

private:
    void choose();
    void choose_anew();
    std::vector<index_t> living_records() const;

    Matrix X_;
    Search search_;
    index_t n_alive_;
    std::vector<char> alive_;
    std::unique_ptr<Living> living_;
    bool probing_ = false;       // the tree still has to show that it is worth its while
    index_t n_when_chosen_ = 0;
    index_t n_looks_ = 0;        // since then
    index_t lowest_ = 0;
};

}  // namespace shoal
