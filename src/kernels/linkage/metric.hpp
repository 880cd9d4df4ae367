// A weighted squared distance, and an exact test of whether two of them are equal.
//
// Rounding makes equal distances differ in their last bits: 1/3 + 1/6 is not 1/2. So a distance has a fingerprint as
// well: the same sum modulo the prime 2^61 - 1, where nothing is rounded. Every double is a whole number times a power
// of two and has a residue of its own, and so has every weight that is a fraction. Equal distances have equal
// fingerprints; different ones that are also within rounding of each other share one by a chance of 2^-61.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "common/matrix.hpp"

namespace shoal {

using residue_t = std::uint64_t;

constexpr residue_t kPrime = (residue_t{1} << 61) - 1;

inline residue_t plus(residue_t a, residue_t b) {
    const residue_t sum = a + b;
    return sum >= kPrime ? sum - kPrime : sum;
}

inline residue_t minus(residue_t a, residue_t b) { return a >= b ? a - b : a + (kPrime - b); }

// In halves of 31 bits, since not every compiler has integers of 128 bits: 2^62 is 2, and 2^61 is 1.
inline residue_t times(residue_t a, residue_t b) {
    constexpr residue_t kLower31 = (residue_t{1} << 31) - 1, kLower30 = kLower31 >> 1;
    const residue_t a1 = a >> 31, a0 = a & kLower31, b1 = b >> 31, b0 = b & kLower31;
    const residue_t crossed = a1 * b0 + a0 * b1;                                                   // less than 2^62
    const residue_t sum = 2 * a1 * b1 + (crossed >> 30) + ((crossed & kLower30) << 31) + a0 * b0;  // less than 2^63
    return plus(sum & kPrime, sum >> 61);
}

// The residue of a finite number. Multiplication by 2 rotates the 61 bits by one to the left.
inline residue_t residue(double value) {
    int exponent = 0;
    const double mantissa = std::frexp(std::fabs(value), &exponent);
    const auto whole = static_cast<residue_t>(std::ldexp(mantissa, 53));
    const int shift = ((exponent - 53) % 61 + 61) % 61;
    const residue_t turned = shift == 0 ? whole : ((whole << shift) & kPrime) | (whole >> (61 - shift));
    const residue_t found = turned == kPrime ? 0 : turned;
    return value < 0 ? minus(0, found) : found;
}

struct Metric {
    std::vector<double> weights;      // (d,) of the squared differences
    std::vector<residue_t> residues;  // (d,) the same as they are without rounding; empty: equal is equal to the bit

    double term(index_t j, double difference) const { return difference * difference * weights[j]; }

    residue_t fingerprint_term(index_t j, double a, double b) const {
        if (a == b || residues.empty()) return 0;
        const residue_t apart = minus(residue(a), residue(b));
        return times(residues[j], times(apart, apart));
    }

    // An upper bound of the relative rounding error of a distance.
    double slack() const { return residues.empty() ? 0.0 : static_cast<double>(weights.size() + 16) * 0x1p-52; }
};

}  // namespace shoal
