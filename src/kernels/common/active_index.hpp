// An index over the active records, those that have no group yet, for the nearest and the farthest of them.
//
// Squared distances are summed column by column in order, without fused operations. Every implementation, and the
// reference twin in the tests, adds in this order, so all of them see the same distances to the last bit.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "common/duplicates.hpp"
#include "common/points.hpp"

namespace shoal {

using Candidate = std::pair<double, index_t>;  // (squared distance, record): nearer first, then lower

// Farther wins; on ties the lower record.
inline bool farther(const Candidate& a, const Candidate& b) {
    return a.first > b.first || (a.first == b.first && a.second < b.second);
}

// The k nearest of all that were considered; lower record first on ties. A few are kept in order, as it costs less to
// move them up than to mend a heap.
class Nearest {
public:
    explicit Nearest(index_t k) : k_(static_cast<std::size_t>(k)), in_order_(k <= kFew) { found_.reserve(k_ + 1); }

    void clear() { found_.clear(); }
    // Nearest first.
    const std::vector<Candidate>& sorted() {
        if (!in_order_) std::sort_heap(found_.begin(), found_.end());
        return found_;
    }

    // No record at this distance or beyond, and of this number or above, can still enter.
    bool excludes(double distance, index_t record) const {
        return is_full() && !(Candidate{distance, record} < farthest());
    }

    bool is_full() const { return found_.size() == k_; }

    double limit() const { return is_full() ? farthest().first : std::numeric_limits<double>::infinity(); }

    void consider(Candidate candidate) {
        if (excludes(candidate.first, candidate.second)) return;
        if (in_order_)
            insert(candidate);
        else
            push(candidate);
    }

private:
    static constexpr index_t kFew = 64;

    const Candidate& farthest() const { return in_order_ ? found_.back() : found_.front(); }

    void insert(Candidate candidate) {
        if (!is_full()) found_.emplace_back();
        std::size_t place = found_.size() - 1;
        for (; place > 0 && candidate < found_[place - 1]; --place) found_[place] = found_[place - 1];
        found_[place] = candidate;
    }

    void push(Candidate candidate) {
        found_.push_back(candidate);
        std::push_heap(found_.begin(), found_.end());
        if (found_.size() <= k_) return;
        std::pop_heap(found_.begin(), found_.end());
        found_.pop_back();
    }

    std::size_t k_;
    bool in_order_;
    std::vector<Candidate> found_;  // nearest first, or a heap with the farthest on top until it is sorted
};

class ActiveIndex {
public:
    virtual ~ActiveIndex() = default;

    // The nearest active records to a record, which need not be active; itself among them if it is.
    virtual void nearest_to(index_t record, Nearest& nearest) = 0;

    // The same, and the farthest of them all; lowest record on ties.
    virtual Candidate nearest_and_farthest(index_t record, Nearest& nearest) = 0;

    // The active record farthest from a point that need not be a record, lowest on ties; nothing where the index would
    // have to look at all of them.
    virtual std::optional<Candidate> farthest_from(const double* /*point*/) { return std::nullopt; }

    virtual void remove(index_t record) = 0;

    // An equal record takes the place of one that is removed.
    virtual void replace(index_t record, index_t equal) = 0;

    // Records visited so far; a scan visits all of them every time.
    virtual double work() const = 0;
};

// Of equal records it holds the lowest; a search finds the others by their links.
class PointIndex : public ActiveIndex {
public:
    explicit PointIndex(const Duplicates& duplicates) : duplicates_(duplicates) {}

protected:
    void consider(Candidate candidate, Nearest& nearest) const {
        for (; candidate.second >= 0 && !nearest.excludes(candidate.first, candidate.second);
             candidate.second = duplicates_.after(candidate.second))
            nearest.consider(candidate);
    }

private:
    const Duplicates& duplicates_;
};

}  // namespace shoal
