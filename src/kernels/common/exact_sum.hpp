// A sum of doubles without rounding error: the order of its terms does not matter, to the last bit.
//
// Every double is an integer multiple of 2^-1074, so the sum is one long integer. It is held in digits of 32 bits,
// each in a signed 64-bit word, so that 2^30 terms fit before a carry must be moved.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace shoal {

class ExactSum {
public:
    void add(double x) { accumulate(x, 1); }
    void add(double x, std::uint32_t times) { accumulate(x, times); }  // fewer than 2^30
    void subtract(double x) { accumulate(x, -1); }

    void add(const ExactSum& other) {
        if (other.is_empty()) return;
        const auto [first, digits] = other.state();
        add_digits(first, digits);
    }

    // The least touched digit, and the digits from it on, all but the last in [0, 2^32): what `add_digits` takes.
    std::pair<int, std::vector<std::int64_t>> state() const {
        if (is_empty()) return {0, {}};
        const int end = std::min(high_ + 2, kDigits - 1);
        Digits digits = digits_;
        carry(digits, low_, end);
        return {low_, {digits.begin() + low_, digits.begin() + end + 1}};
    }

    void add_digits(int first, const std::vector<std::int64_t>& digits) {
        const int n = static_cast<int>(digits.size());
        if (first < 0 || n > kDigits - first) throw std::invalid_argument("digits of no sum");
        if (n == 0) return;
        for (int i = 0; i < n; ++i) digits_[first + i] += digits[i];
        low_ = std::min(low_, first);
        high_ = std::max(high_, first + n - 1);
        count_terms(1);
    }

    void clear() {
        if (low_ <= high_) std::fill(digits_.begin() + low_, digits_.begin() + high_ + 1, 0);
        low_ = kDigits;
        high_ = -1;
        pending_ = 0;
    }

    // The sum, rounded once to the nearest double (ties to even).
    double value() const {
        if (is_empty()) return 0.0;
        const int end = std::min(high_ + 2, kDigits - 1);  // what carrying can reach
        Digits digits;                                     // only low_ .. end are used
        std::copy(digits_.begin() + low_, digits_.begin() + end + 1, digits.begin() + low_);
        carry(digits, low_, end);
        const bool negative = digits[end] < 0;
        if (negative) {
            for (int i = low_; i <= end; ++i) digits[i] = -digits[i];
            carry(digits, low_, end);
        }
        int top = end;
        while (top >= low_ && digits[top] == 0) --top;
        if (top < low_) return 0.0;

        // The 64 bits from the first that is set on, out of three digits; all below only matters as "something is left".
        const auto digit = [&](int i) { return i < low_ ? std::uint64_t{0} : static_cast<std::uint64_t>(digits[i]); };
        const int shift = std::countl_zero(static_cast<std::uint32_t>(digits[top]));  // less than 32
        const std::uint64_t two = (digit(top) << 32) | digit(top - 1);
        const std::uint64_t leading = (two << shift) | (digit(top - 2) >> (32 - shift));
        bool rest = static_cast<std::uint32_t>(digit(top - 2) << shift) != 0;
        for (int i = top - 3; i >= low_ && !rest; --i) rest = digits[i] != 0;
        constexpr int kDropped = 64 - 53;
        constexpr std::uint64_t kHalf = std::uint64_t{1} << (kDropped - 1);
        const std::uint64_t below = leading & (2 * kHalf - 1);
        std::uint64_t mantissa = leading >> kDropped;
        const bool above_half = below > kHalf || (below == kHalf && rest);
        const bool half = below == kHalf && !rest;
        if (above_half || (half && (mantissa & 1))) ++mantissa;
        const double rounded = std::ldexp(static_cast<double>(mantissa), kDropped - shift + 32 * (top - 1) - 1074);
        return negative ? -rounded : rounded;
    }

private:
    static constexpr int kDigits = 68;  // 66 for every double, and two more for what 2^60 of them add up to
    static constexpr std::int64_t kBase = std::int64_t{1} << 32;
    using Digits = std::array<std::int64_t, kDigits>;

    bool is_empty() const { return low_ > high_; }

    // `times` is -1 for a subtraction.
    void accumulate(double x, std::int64_t times) {
        const auto bits = std::bit_cast<std::uint64_t>(x);
        const auto exponent = static_cast<int>((bits >> 52) & 0x7ff);
        std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
        if (exponent) mantissa |= std::uint64_t{1} << 52;
        const auto n_terms = static_cast<std::uint32_t>(times < 0 ? -times : times);
        if (bits >> 63) times = -times;
        const int position = exponent ? exponent - 1 : 0;
        const int digit = position / 32;
        const std::uint64_t lower = (mantissa & 0xffffffff) << (position % 32);
        const std::uint64_t upper = ((mantissa >> 32) << (position % 32)) + (lower >> 32);
        digits_[digit] += times * static_cast<std::int64_t>(lower & 0xffffffff);
        digits_[digit + 1] += times * static_cast<std::int64_t>(upper & 0xffffffff);
        digits_[digit + 2] += times * static_cast<std::int64_t>(upper >> 32);
        low_ = std::min(low_, digit);
        high_ = std::max(high_, digit + 2);
        count_terms(n_terms);
    }

    void count_terms(std::uint32_t n) {
        pending_ += n;
        if (pending_ < (std::uint32_t{1} << 29)) return;
        high_ = std::min(high_ + 2, kDigits - 1);
        carry(digits_, low_, high_);
        pending_ = 0;
    }

    // Bring the digits first .. last - 1 into [0, 2^32).
    static void carry(Digits& digits, int first, int last) {
        for (int i = first; i < last; ++i) {
            const std::int64_t over = digits[i] >> 32;  // floor, also for negative digits
            digits[i] -= over * kBase;
            digits[i + 1] += over;
        }
    }

    Digits digits_{};
    int low_ = kDigits, high_ = -1;  // digits that were touched; all others are 0
    std::uint32_t pending_ = 0;
};

}  // namespace shoal
