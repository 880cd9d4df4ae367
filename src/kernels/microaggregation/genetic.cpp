#include "microaggregation/genetic.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace shoal {

namespace {

using Place = std::pair<double, index_t>;  // (squared distance, record or group)

}  // namespace

Genetic::Genetic(Matrix X, index_t k, index_t population, double crossover, double mutation, std::uint64_t seed)
    : X_(X), k_(k), n_groups_(X.n / k), crossover_(crossover), mutation_(mutation), random_(seed),
      best_{{}, std::numeric_limits<double>::infinity()} {
    for (index_t i = 0; i < population; ++i) population_.push_back(random_chromosome());
    for (auto& chromosome : population_) measure(chromosome);
}

void Genetic::step(index_t n_generations) {
    for (index_t i = 0; i < n_generations; ++i) next_generation();
}

// Groups of k in a random order of the records; the remaining records join any group, and the chromosome is repaired.
Genetic::Chromosome Genetic::random_chromosome() {
    std::vector<index_t> order(X_.n);
    std::iota(order.begin(), order.end(), 0);
    for (index_t i = X_.n - 1; i > 0; --i) std::swap(order[i], order[any(i + 1)]);
    Chromosome made{std::vector<index_t>(X_.n), 0.0};
    for (index_t i = 0; i < X_.n; ++i) made.genes[order[i]] = i < n_groups_ * k_ ? i / k_ : any(n_groups_);
    return made;
}

// Parents are drawn in proportion to 1 / (1 + error); the best so far takes the place of the first child.
void Genetic::next_generation() {
    std::vector<double> wheel;
    wheel.reserve(population_.size());
    double turned = 0.0;
    for (const auto& chromosome : population_) wheel.push_back(turned += 1.0 / (1.0 + chromosome.error));
    std::vector<Chromosome> children;
    while (children.size() < population_.size()) {
        Chromosome one = population_[spin(wheel)], other = population_[spin(wheel)];
        if (chance() < crossover_) {
            const index_t point = any(X_.n);
            std::swap_ranges(one.genes.begin() + point, one.genes.end(), other.genes.begin() + point);
        }
        for (auto* child : {&one, &other}) {
            for (auto& gene : child->genes)
                if (chance() < mutation_) gene = any(n_groups_);
            measure(*child);
            children.push_back(std::move(*child));
        }
    }
    children.resize(population_.size());
    children.front() = best_;
    population_ = std::move(children);
}

std::size_t Genetic::spin(const std::vector<double>& wheel) {
    const auto stop = std::upper_bound(wheel.begin(), wheel.end(), chance() * wheel.back());
    return std::min<std::size_t>(stop - wheel.begin(), wheel.size() - 1);
}

void Genetic::measure(Chromosome& chromosome) {
    repair(chromosome);
    std::vector<index_t> sizes;
    const std::vector<double> means = centroids(chromosome, sizes);
    chromosome.error = 0.0;
    for (index_t i = 0; i < X_.n; ++i)
        chromosome.error += squared_distance(X_.row(i), means.data() + chromosome.genes[i] * X_.d, X_.d);
    if (best_.genes.empty() || chromosome.error < best_.error) best_ = chromosome;
}

// Groups below k are dissolved, smallest first; groups of 2k or more are divided. Then groups are numbered by their first
// record, so that equal partitions have equal genes.
void Genetic::repair(Chromosome& chromosome) {
    while (true) {
        std::vector<index_t> sizes(n_groups_, 0);
        for (const index_t gene : chromosome.genes) ++sizes[gene];
        index_t smallest = -1, largest = 0, empty = -1;
        for (index_t g = 0; g < n_groups_; ++g) {
            if (sizes[g] > sizes[largest]) largest = g;
            if (sizes[g] == 0 && empty < 0) empty = g;
            if (sizes[g] > 0 && sizes[g] < k_ && (smallest < 0 || sizes[g] < sizes[smallest])) smallest = g;
        }
        if (smallest >= 0)
            dissolve(chromosome, smallest);
        else if (sizes[largest] >= 2 * k_)
            divide(chromosome, largest, empty);
        else
            break;
    }
    std::vector<index_t> number(n_groups_, -1);
    index_t next = 0;
    for (auto& gene : chromosome.genes) {
        if (number[gene] < 0) number[gene] = next++;
        gene = number[gene];
    }
}

// Every record of the group goes to the nearest other centroid; lowest group on ties.
void Genetic::dissolve(Chromosome& chromosome, index_t group) {
    std::vector<index_t> sizes;
    const std::vector<double> means = centroids(chromosome, sizes);
    for (index_t i = 0; i < X_.n; ++i) {
        if (chromosome.genes[i] != group) continue;
        Place nearest{std::numeric_limits<double>::infinity(), n_groups_};
        for (index_t g = 0; g < n_groups_; ++g)
            if (g != group && sizes[g] > 0)
                nearest = std::min(nearest, {squared_distance(X_.row(i), means.data() + g * X_.d, X_.d), g});
        chromosome.genes[i] = nearest.second;
    }
}

// The record farthest from the centroid leaves with its k - 1 nearest. A group of 2k leaves a number unused: all others
// have k or more.
void Genetic::divide(Chromosome& chromosome, index_t group, index_t into) {
    std::vector<index_t> sizes;
    const std::vector<double> means = centroids(chromosome, sizes);
    Place farthest{-1.0, -1};
    for (index_t i = 0; i < X_.n; ++i)
        if (chromosome.genes[i] == group) {
            const double distance = squared_distance(X_.row(i), means.data() + group * X_.d, X_.d);
            if (distance > farthest.first) farthest = {distance, i};
        }
    std::vector<Place> around;
    for (index_t i = 0; i < X_.n; ++i)
        if (chromosome.genes[i] == group)
            around.push_back({squared_distance(X_.row(i), X_.row(farthest.second), X_.d), i});
    std::partial_sort(around.begin(), around.begin() + k_, around.end());
    for (index_t m = 0; m < k_; ++m) chromosome.genes[around[m].second] = into;
}

std::vector<double> Genetic::centroids(const Chromosome& chromosome, std::vector<index_t>& sizes) const {
    std::vector<double> means(n_groups_ * X_.d, 0.0);
    sizes.assign(n_groups_, 0);
    for (index_t i = 0; i < X_.n; ++i) {
        ++sizes[chromosome.genes[i]];
        for (index_t j = 0; j < X_.d; ++j) means[chromosome.genes[i] * X_.d + j] += X_.row(i)[j];
    }
    for (index_t g = 0; g < n_groups_; ++g)
        for (index_t j = 0; j < X_.d && sizes[g] > 0; ++j) means[g * X_.d + j] /= static_cast<double>(sizes[g]);
    return means;
}

}  // namespace shoal
