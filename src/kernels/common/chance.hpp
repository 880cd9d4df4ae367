// Chance for kernels: the same numbers on every machine, without the mathematical library.
#pragma once

#include <bit>
#include <cstdint>

namespace shoal {

// SplitMix64 (Steele, Lea & Flood 2014): one word of state, any seed will do.
class Chance {
public:
    explicit Chance(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }

    // An integer of 0 .. n - 1, n below 2^32.
    std::int64_t below(std::int64_t n) {
        return static_cast<std::int64_t>(((next() >> 32) * static_cast<std::uint64_t>(n)) >> 32);
    }

    // An exponential variate of mean 1: -log(u), to seven digits, from leading zeros and a short series.
    double exponential() {
        const std::uint64_t word = next() | 1;
        const int zeros = std::countl_zero(word);
        const double mantissa =
            std::bit_cast<double>((std::uint64_t{0x3FF} << 52) | ((word << zeros << 1) >> 12));  // [1, 2)
        const double s = (mantissa - 1.0) / (mantissa + 1.0), q = s * s;
        const double log_mantissa =
            2.0 * s * (1.0 + q * (1.0 / 3 + q * (1.0 / 5 + q * (1.0 / 7 + q * (1.0 / 9 + q / 11)))));
        return (zeros + 1) * 0.6931471805599453 - log_mantissa;
    }

private:
    std::uint64_t state_;
};

}  // namespace shoal
