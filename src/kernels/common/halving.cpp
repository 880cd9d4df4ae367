#include "common/halving.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal {

namespace {

constexpr std::size_t kFewest = 128;  // records for which a sample is drawn
constexpr std::size_t kPerSampled = 16;

}  // namespace

void Halving::halve(Matrix cells, index_t column, index_t* begin, index_t* middle, index_t* end) {
    const auto n = static_cast<std::size_t>(end - begin), n_lower = static_cast<std::size_t>(middle - begin);
    if (below_.size() < n) {
        below_.resize(n);
        above_.resize(n);
        between_.resize(n);
    }
    sample_.clear();
    if (n >= kFewest)
        for (std::size_t i = 0; i < n; i += kPerSampled) sample_.push_back(cells.row(begin[i])[column]);
    std::sort(sample_.begin(), sample_.end());
    set_aside(cells, column, begin, end);
    if (n_lower < n_below_ || n_lower > n_below_ + n_between_) {  // not enclosed: all records are between
        sample_.clear();
        set_aside(cells, column, begin, end);
    }
    select(n_lower - n_below_);
    begin = std::copy_n(below_.begin(), n_below_, begin);
    for (std::size_t i = 0; i < n_between_; ++i) *begin++ = between_[i].second;
    std::copy_n(above_.begin(), n_above_, begin);
}

// Without a sample nothing is.
void Halving::set_aside(Matrix cells, index_t column, const index_t* begin, const index_t* end) {
    double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
    if (!sample_.empty()) {
        const std::size_t middle = sample_.size() / 2;
        const auto off =
            static_cast<std::size_t>(std::sqrt(static_cast<double>(sample_.size())));  // two standard errors
        least = sample_[middle - off];
        most = sample_[middle + off];
    }
    index_t *below = below_.data(), *above = above_.data();
    Candidate* between = between_.data();
    for (; begin < end; ++begin) {
        const double value = cells.row(*begin)[column];
        const bool is_below = value<least, is_above = value> most;
        *below = *above = *begin;
        *between = {value, *begin};
        below += is_below;
        above += is_above;
        between += !(is_below | is_above);
    }
    n_below_ = static_cast<std::size_t>(below - below_.data());
    n_above_ = static_cast<std::size_t>(above - above_.data());
    n_between_ = static_cast<std::size_t>(between - between_.data());
}

void Halving::select(std::size_t n_lower) {
    const auto first = between_.begin();
    std::nth_element(first, first + static_cast<std::ptrdiff_t>(n_lower),
                     first + static_cast<std::ptrdiff_t>(n_between_),
                     [](const Candidate& a, const Candidate& b) { return a.first < b.first; });
}

}  // namespace shoal
