#include "linkage/suda.hpp"

#include <algorithm>
#include <numeric>

namespace shoal {

Suda::Suda(const index_t* codes, index_t n, index_t d, const index_t* n_values, index_t max_size)
    : n_(n), d_(d), max_size_(max_size), items_of_(n * d), by_record_(n * max_size, 0), by_column_(d * max_size, 0) {
    std::vector<index_t> first(d + 1, 0);
    for (index_t j = 0; j < d; ++j) first[j + 1] = first[j] + n_values[j];
    const index_t n_all = first[d];
    std::vector<index_t> n_records(n_all, 0);
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < d; ++j) ++n_records[first[j] + codes[i * d + j]];

    // Rank: rarest first, on ties the lower column, then the lower value.
    std::vector<index_t> order(n_all);
    std::iota(order.begin(), order.end(), index_t{0});
    std::stable_sort(order.begin(), order.end(), [&](index_t a, index_t b) { return n_records[a] < n_records[b]; });
    std::vector<std::int32_t> rank(n_all);
    for (index_t r = 0; r < n_all; ++r) rank[order[r]] = static_cast<std::int32_t>(r);

    column_of_.resize(n_all);
    for (index_t j = 0; j < d; ++j)
        for (index_t value = first[j]; value < first[j + 1]; ++value)
            column_of_[rank[value]] = static_cast<std::int32_t>(j);
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < d; ++j) items_of_[i * d + j] = rank[first[j] + codes[i * d + j]];

    seen_.assign(n_all, 0);
    std::vector<index_t> all_records(n);
    std::iota(all_records.begin(), all_records.end(), index_t{0});
    whole_ = postings_of(all_records.data(), n, -1);
}

index_t Suda::step(index_t n_items) {
    std::vector<UniqueSet> found;
    for (; n_items > 0 && next_ < whole_.items.size(); --n_items, ++next_) {
        found.clear();
        extend(whole_, next_, n_, max_size_, found);
        for (const UniqueSet& unique : found) count(unique);
    }
    return static_cast<index_t>(whole_.items.size() - next_);
}

void Suda::count(const UniqueSet& unique) {
    const auto size = static_cast<index_t>(unique.items.size());
    ++by_record_[unique.record * max_size_ + size - 1];
    for (const std::int32_t item : unique.items) ++by_column_[column_of_[item] * max_size_ + size - 1];
}

Suda::Postings Suda::postings_of(const index_t* records, index_t n, std::int32_t last) {
    Postings found;
    for (index_t r = 0; r < n; ++r)
        for (index_t j = 0; j < d_; ++j) {
            const std::int32_t x = item(records[r], j);
            if (x > last && seen_[x]++ == 0) found.items.push_back(x);
        }
    std::sort(found.items.begin(), found.items.end());
    found.starts.push_back(0);
    for (const std::int32_t x : found.items) {
        found.starts.push_back(found.starts.back() + seen_[x]);
        seen_[x] = found.starts[found.starts.size() - 2];  // from here on: where its next record goes
    }
    found.records.resize(found.starts.back());
    for (index_t r = 0; r < n; ++r)
        for (index_t j = 0; j < d_; ++j) {
            const std::int32_t x = item(records[r], j);
            if (x > last) found.records[seen_[x]++] = records[r];
        }
    for (const std::int32_t x : found.items) seen_[x] = 0;
    return found;
}

// Unique sets among these records, of items after `last`.
void Suda::find(const index_t* records, index_t n, std::int32_t last, index_t max_size, std::vector<UniqueSet>& found) {
    const Postings postings = postings_of(records, n, last);
    for (std::size_t at = 0; at < postings.items.size(); ++at) extend(postings, at, n, max_size, found);
}

// Unique sets among n records whose first item is the one at this place.
void Suda::extend(const Postings& postings, std::size_t at, index_t n, index_t max_size,
                  std::vector<UniqueSet>& found) {
    const std::int32_t first = postings.items[at];
    const index_t* records = postings.records.data() + postings.starts[at];
    const index_t n_records = postings.starts[at + 1] - postings.starts[at];
    if (n_records == n) return;  // all records have it: it makes none of them unique
    if (n_records == 1) {
        found.push_back({records[0], {first}});
        return;
    }
    // Every item of a unique set of size m needs a record of its own that lacks just this item.
    const index_t largest = std::min(max_size, n - 1);
    if (largest < 2) return;
    std::vector<UniqueSet> rests;
    find(records, n_records, first, largest - 1, rests);
    for (UniqueSet& rest : rests)
        if (is_supported(postings, rest, first)) {
            rest.items.push_back(first);
            found.push_back(std::move(rest));
        }
}

// Whether some record has all items of `rest` but not the item `without`: else the item would add nothing to the rest.
bool Suda::is_supported(const Postings& postings, const UniqueSet& rest, std::int32_t without) const {
    const auto size = [&](std::size_t at) { return postings.starts[at + 1] - postings.starts[at]; };
    std::size_t rarest = postings.place(rest.items[0]);
    for (const std::int32_t x : rest.items)
        if (size(postings.place(x)) < size(rarest)) rarest = postings.place(x);
    return std::any_of(postings.records.begin() + postings.starts[rarest],
                       postings.records.begin() + postings.starts[rarest + 1], [&](index_t record) {
                           return !has(record, without) && std::all_of(rest.items.begin(), rest.items.end(),
                                                                       [&](auto x) { return has(record, x); });
                       });
}

}  // namespace shoal
