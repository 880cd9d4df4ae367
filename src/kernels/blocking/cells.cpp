#include "blocking/cells.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace shoal {

namespace {

constexpr index_t kMostSpread = 9;  // dimensions for which eight bits of a position fit into a word

index_t words_for(index_t n_bits) { return std::max<index_t>(1, (n_bits + kWordBits - 1) / kWordBits); }

int compared(const word_t* a, const word_t* b, index_t n_words) {
    for (index_t w = 0; w < n_words; ++w)
        if (a[w] != b[w]) return a[w] < b[w] ? -1 : 1;
    return 0;
}

// The last of `sorted` that is not above `key`, -1 if all are: keys of one word, without a branch to guess.
index_t last_not_above(const word_t* sorted, index_t n, word_t key) {
    if (n == 0) return -1;
    const word_t* base = sorted;
    while (n > 1) {
        const index_t half = n / 2;
        base += base[half] <= key ? half : 0;
        n -= half;
    }
    return base - sorted - (*base <= key ? 0 : 1);
}

// The same for keys of any number of words.
index_t last_not_above(const word_t* sorted, index_t n, const word_t* key, index_t n_words) {
    if (n_words == 1) return last_not_above(sorted, n, *key);
    index_t low = 0, high = n;
    while (low < high) {
        const index_t middle = low + (high - low) / 2;
        if (compared(sorted + middle * n_words, key, n_words) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

// Keys stand on top of their words: the high bits must reach the low ones.
std::uint64_t hash_of(const word_t* key, index_t n_words) {
    std::uint64_t hash = 0;
    for (index_t w = 0; w < n_words; ++w) hash = mixed(hash ^ key[w]);
    return hash;
}

}  // namespace

Keys::Keys(const Space& space, index_t n_bits)
    : space_(space), n_bits_(n_bits), n_words_(words_for(n_bits)), positions_(space.n_dimensions) {
    const index_t d = space.n_dimensions;
    if (n_bits == 0 || n_bits > kWordBits || d > kMostSpread) return;
    for (word_t byte = 0; byte < 256; ++byte) {
        word_t bits = 0;
        for (index_t bit = 0; bit < 8; ++bit) bits |= (byte >> (7 - bit) & 1U) << (kWordBits - 1 - bit * d);
        spread_.push_back(bits);
    }
}

void Keys::key_of(const double* x, word_t* key) {
    const index_t d = space_.n_dimensions;
    for (index_t j = 0; j < d; ++j) positions_[j] = space_.position(x[space_.dimensions[j]], space_.dimensions[j]);
    if (spread_.empty())
        long_key(key);
    else
        *key = short_key();
}

// A byte of every position at a time.
word_t Keys::short_key() const {
    const index_t d = space_.n_dimensions;
    word_t key = 0;
    for (index_t byte = 0; byte * 8 * d < n_bits_; ++byte)
        for (index_t j = 0; j < d && byte * 8 * d + j < n_bits_; ++j)
            key |= spread_[positions_[j] >> (kPositionBits - 8 - 8 * byte) & 255U] >> (byte * 8 * d + j);
    return key >> (kWordBits - n_bits_) << (kWordBits - n_bits_);
}

// A bit at a time.
void Keys::long_key(word_t* key) const {
    const index_t d = space_.n_dimensions;
    index_t left = n_bits_;
    int shift = kPositionBits - 1;
    index_t j = 0;
    for (index_t w = 0; w < n_words_; ++w) {
        const index_t here = std::min<index_t>(left, kWordBits);
        word_t word = 0;
        for (index_t bit = 0; bit < here; ++bit) {
            word = (word << 1) | ((positions_[j] >> shift) & 1U);
            if (++j == d) j = 0, --shift;
        }
        key[w] = here ? word << (kWordBits - here) : 0;
        left -= here;
    }
}

CellCounter::CellCounter(CellGrid grid)
    : lower_(std::move(grid.lower)), upper_(std::move(grid.upper)), dimensions_(std::move(grid.dimensions)),
      space_{lower_.data(), upper_.data(), dimensions_.data(), static_cast<index_t>(dimensions_.size())},
      keys_of_(space_, grid.n_bits), n_words_(keys_of_.n_words()), d_(static_cast<index_t>(lower_.size())),
      open_(std::move(grid.open)), n_open_(grid.n_open), open_words_(words_for(grid.open_bits)),
      open_bits_(grid.open_bits), prefix_(open_words_) {
    for (index_t column = 0; column < d_; ++column)
        if (std::find(dimensions_.begin(), dimensions_.end(), column) == dimensions_.end())
            undivided_.push_back(column);
}

void CellCounter::add(Matrix X) {
    std::vector<word_t> key(n_words_);
    for (index_t i = 0; i < X.n; ++i) {
        const double* x = X.row(i);
        keys_of_.key_of(x, key.data());
        if (!is_open(key.data())) continue;
        const index_t cell = cell_of(key.data());
        ++counts_[cell];
        add_positions(x, sums_.data() + cell * d_);
    }
}

// The key has found the positions in the dimensions.
void CellCounter::add_positions(const double* x, index_t* sums) const {
    for (index_t j = 0; j < space_.n_dimensions; ++j) sums[dimensions_[j]] += keys_of_.position(j);
    for (const index_t column : undivided_) sums[column] += space_.position(x[column], column);
}

bool CellCounter::is_open(const word_t* key) {
    if (open_bits_ == 0) return n_open_ > 0;
    std::copy_n(key, open_words_, prefix_.data());
    const index_t beyond = open_words_ * kWordBits - open_bits_;
    prefix_.back() = prefix_.back() >> beyond << beyond;
    const index_t at = last_not_above(open_.data(), n_open_, prefix_.data(), open_words_);
    return at >= 0 && compared(open_.data() + at * open_words_, prefix_.data(), open_words_) == 0;
}

index_t CellCounter::cell_of(const word_t* key) {
    const index_t cell = cells_.number(hash_of(key, n_words_), [&](index_t other) {
        return compared(keys_.data() + other * n_words_, key, n_words_) == 0;
    });
    if (cell < n_cells()) return cell;
    keys_.insert(keys_.end(), key, key + n_words_);
    counts_.push_back(0);
    sums_.resize(sums_.size() + d_, 0);
    return cell;
}

std::vector<index_t> CellCounter::order() const {
    std::vector<index_t> order(counts_.size());
    std::iota(order.begin(), order.end(), index_t{0});
    std::sort(order.begin(), order.end(), [&](index_t a, index_t b) {
        return compared(keys_.data() + a * n_words_, keys_.data() + b * n_words_, n_words_) < 0;
    });
    return order;
}

std::vector<word_t> CellCounter::keys(const std::vector<index_t>& order) const {
    std::vector<word_t> sorted;
    sorted.reserve(keys_.size());
    for (const index_t cell : order)
        sorted.insert(sorted.end(), keys_.begin() + cell * n_words_, keys_.begin() + (cell + 1) * n_words_);
    return sorted;
}

std::vector<index_t> CellCounter::counts(const std::vector<index_t>& order) const {
    std::vector<index_t> sorted;
    sorted.reserve(counts_.size());
    for (const index_t cell : order) sorted.push_back(counts_[cell]);
    return sorted;
}

std::vector<index_t> CellCounter::sums(const std::vector<index_t>& order) const {
    std::vector<index_t> sorted;
    sorted.reserve(sums_.size());
    for (const index_t cell : order)
        sorted.insert(sorted.end(), sums_.begin() + cell * d_, sums_.begin() + (cell + 1) * d_);
    return sorted;
}

std::vector<index_t> find_cells(Matrix X, const Space& space, index_t n_bits, const word_t* starts, index_t n_starts) {
    Keys keys(space, n_bits);
    std::vector<word_t> key(keys.n_words());
    std::vector<index_t> found(X.n);
    for (index_t i = 0; i < X.n; ++i) {
        keys.key_of(X.row(i), key.data());
        found[i] = std::max<index_t>(0, last_not_above(starts, n_starts, key.data(), keys.n_words()));
    }
    return found;
}

}  // namespace shoal
