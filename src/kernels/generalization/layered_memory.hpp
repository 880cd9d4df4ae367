// The memory of boxes as one job sees it: what all jobs knew before, and above it what this job has found.
#pragma once

#include "generalization/box_memory.hpp"

namespace shoal {

class LayeredMemory {
public:
    explicit LayeredMemory(const BoxMemory& shared) : shared_(shared), own_(kBytes) {}

    const BoxBounds* find(const BoxKey& key, index_t n) const {
        const BoxBounds* known = own_.find(key, n);
        if (known) return known;
        known = shared_.find(key, n);
        return known && reads_solved_only_ && !known->is_exact() ? nullptr : known;
    }

    void prefetch(const BoxKey& key) const { shared_.prefetch(key); }

    // To be written to; valid until the next call.
    BoxBounds& at(const BoxKey& key, index_t n) {
        const BoxBounds* mine = own_.find(key, n);
        const BoxBounds* before = mine ? nullptr : find(key, n);
        BoxBounds& known = own_.at(key, n);
        if (before) known = *before;
        n_new_ += !mine && !before;
        return known;
    }

    // What this job has found, and how many of its boxes nobody knew before.
    const BoxMemory& own() const { return own_; }
    index_t n_new() const { return n_new_; }

    // For the next job. Whoever looks for a lower cost reads solved boxes only: the other costs favor the best plan, for
    // its parts were improved before and those of its rivals were not.
    void clear(bool reads_solved_only) {
        own_.clear();
        n_new_ = 0;
        reads_solved_only_ = reads_solved_only;
    }

private:
    static constexpr std::size_t kBytes = std::size_t{1} << 40;  // a job ends before its layer is large

    const BoxMemory& shared_;
    BoxMemory own_;
    index_t n_new_ = 0;
    bool reads_solved_only_ = false;
};

}  // namespace shoal
