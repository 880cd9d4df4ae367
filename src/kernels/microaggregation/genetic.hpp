// A population of partitions that cross and mutate, generation after generation.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "common/matrix.hpp"

namespace shoal {

// A gene is the group of a record, one of floor(n / k). Every chromosome is repaired before it is evaluated.
class Genetic {
public:
    Genetic(Matrix X, index_t k, index_t population, double crossover, double mutation, std::uint64_t seed);

    void step(index_t n_generations);

    const std::vector<index_t>& best() const { return best_.genes; }  // (n,) groups numbered by their first record

private:
    struct Chromosome {
        std::vector<index_t> genes;
        double error;  // sum of squared errors
    };

    Chromosome random_chromosome();
    void next_generation();
    std::size_t spin(const std::vector<double>& wheel);
    void repair(Chromosome& chromosome);
    void dissolve(Chromosome& chromosome, index_t group);
    void divide(Chromosome& chromosome, index_t group, index_t into);
    void measure(Chromosome& chromosome);
    std::vector<double> centroids(const Chromosome& chromosome, std::vector<index_t>& sizes) const;
    double chance() { return static_cast<double>(random_() >> 11) * 0x1.0p-53; }  // in [0, 1)
    index_t any(index_t n) { return static_cast<index_t>(chance() * static_cast<double>(n)); }

    Matrix X_;
    index_t k_, n_groups_;
    double crossover_, mutation_;
    std::mt19937_64 random_;
    std::vector<Chromosome> population_;
    Chromosome best_;
};

}  // namespace shoal
