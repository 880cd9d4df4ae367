#include "generalization/block_cuts.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace shoal {

namespace {

constexpr double kSizeSlack = 1.1;  // blocks rarely come out at exactly the least size
constexpr index_t kSmall = 4;       // times the least size: below, the median may leave parts that no cut divides
constexpr index_t kLarge = 12;      // times the least size: from here on uneven columns are cut first

}  // namespace

bool Cut::operator<(const Cut& other) const {
    return std::tie(other.is_free, column_rank, rank, squares, column, at) <
           std::tie(is_free, other.column_rank, other.rank, other.squares, other.column, other.at);
}

BlockCuts::BlockCuts(const std::vector<Attribute>& attributes, CodedRows rows, CutChoice choice, LossKind loss,
                     index_t least, UserRule user_loss)
    : attributes_(attributes), rows_(rows), choice_(choice), loss_(loss), least_(least),
      user_loss_(std::move(user_loss)) {}

std::vector<Cut> BlockCuts::of(const Block& block, const index_t* order) {
    std::vector<Cut> found;
    for (index_t column = 0; column < rows_.d; ++column) {
        const Part& part = block.parts[column];
        const Rule rule = attributes_[column].rule[part.node];
        if (rule == Rule::none || (rule != Rule::all && part.size() < 2 && choice_ != CutChoice::halves)) continue;
        profile_.read(rows_, block, order, column);
        if (rule == Rule::all) {
            cut_into_all(block, column, found);
        } else if (rule == Rule::line && choice_ == CutChoice::halves) {
            halves(block, column, found);
        } else {
            if (rule == Rule::subsets) profile_.most_frequent_first();
            cuts_between(block, column, found);
        }
    }
    if (asks_user()) ask_user(found);
    std::sort(found.begin(), found.end());
    return found;
}

// Between two entries: all of these cuts, or the one that is most even.
void BlockCuts::cuts_between(const Block& block, index_t column, std::vector<Cut>& found) {
    const Part& part = block.parts[column];
    const bool is_line = attributes_[column].rule[part.node] == Rule::line;
    const index_t n_classes = rows_.n_classes, n_entries = static_cast<index_t>(profile_.entries.size());
    if (!is_line && n_entries < part.size()) found.push_back({.is_free = true, .column = column, .at = n_entries});
    std::vector<index_t> left(n_classes, 0), right(n_classes, 0);
    for (index_t e = 0; e < n_entries; ++e)
        for (index_t c = 0; c < n_classes; ++c) right[c] += profile_.classes[e * n_classes + c];
    const double column_rank = rank_of_column(block, column);
    const std::size_t first = found.size();
    index_t below = 0;
    for (index_t e = 0; e + 1 < n_entries; ++e) {
        below += profile_.entries[e].n;
        for (index_t c = 0; c < n_classes; ++c) {
            left[c] += profile_.classes[e * n_classes + c];
            right[c] -= profile_.classes[e * n_classes + c];
        }
        if (below < least_) continue;
        if (block.total - below < least_) break;
        const index_t above = block.total - below;
        Cut cut{.column_rank = column_rank,
                .squares = square_of(below) + square_of(above),
                .column = column,
                .at = is_line ? profile_.entries[e + 1].code : e + 1};
        const Part lower = side(part, cut.at, false, is_line), upper = side(part, cut.at, true, is_line);
        if (asks_user()) {
            add_side(block, column, lower, below, left.data(), found.size());
            add_side(block, column, upper, above, right.data(), found.size());
        } else {
            cut.rank = rank(block, column, lower, below, left.data()) + rank(block, column, upper, above, right.data());
        }
        found.push_back(cut);
    }
    if (choice_ != CutChoice::median || found.size() == first) return;
    const Cut median = *std::min_element(found.begin() + first, found.end());
    found.resize(first);
    found.push_back(median);
}

// What the loss needs to know of one side: how long it is, or how many values it has.
Part BlockCuts::side(const Part& part, index_t at, bool right, bool is_line) const {
    if (is_line) return right ? Part{at, part.stop, part.node, {}} : Part{part.start, at, part.node, {}};
    return right ? Part{0, part.size() - at, part.node, {}} : Part{0, at, part.node, {}};
}

// Of records in the order of the column the first half goes left, wherever equal ones are.
void BlockCuts::halves(const Block& block, index_t column, std::vector<Cut>& found) const {
    const index_t left = block.total / 2;
    if (left < least_) return;
    index_t below = 0, e = 0;
    while (below + profile_.entries[e].n < left) below += profile_.entries[e++].n;
    found.push_back({.column_rank = rank_of_column(block, column), .column = column, .at = profile_.entries[e].code});
}

void BlockCuts::cut_into_all(const Block& block, index_t column, std::vector<Cut>& found) {
    const Attribute& attribute = attributes_[column];
    const index_t node = block.parts[column].node, n_classes = rows_.n_classes;
    Cut cut{.column_rank = rank_of_column(block, column), .column = column};
    index_t n_filled = 0, e = 0;
    std::vector<index_t> classes(n_classes);
    for (index_t c = 0; c < attribute.n_children[node]; ++c) {
        const index_t child = attribute.first_child[node] + c;
        index_t n = 0;
        std::fill(classes.begin(), classes.end(), index_t{0});
        for (; e < static_cast<index_t>(profile_.entries.size()) && profile_.entries[e].code < attribute.stop[child];
             ++e) {
            n += profile_.entries[e].n;
            for (index_t k = 0; k < n_classes; ++k) classes[k] += profile_.classes[e * n_classes + k];
        }
        if (n == 0) continue;
        if (n < least_) return drop_sides(found.size());
        ++n_filled;
        cut.squares += square_of(n);
        const Part part{attribute.start[child], attribute.stop[child], child, {}};
        if (asks_user())
            add_side(block, column, part, n, classes.data(), found.size());
        else
            cut.rank += rank(block, column, part, n, classes.data());
    }
    cut.is_free = n_filled == 1;
    found.push_back(cut);
}

double BlockCuts::rank_of_column(const Block& block, index_t column) const {
    if (choice_ != CutChoice::least_loss) return -width_of_records(block, column);
    if (loss_ != LossKind::discernibility || block.total < kLarge * least_) return 0.0;
    index_t most = 0;
    for (const Profile::Entry& entry : profile_.entries) most = std::max(most, entry.n);
    return -static_cast<double>(most) / static_cast<double>(block.total);
}

double BlockCuts::rank(const Block& block, index_t column, const Part& part, index_t n, const index_t* classes) const {
    if (choice_ != CutChoice::least_loss) return block.total < kSmall * least_ ? at_best(n) : 0.0;
    return loss(block, column, part, n, classes);
}

// Discernibility of n records, divided evenly into as many blocks as can be hoped for.
double BlockCuts::at_best(index_t n) const {
    const double n_blocks = std::floor(static_cast<double>(n) / (kSizeSlack * static_cast<double>(least_)));
    return square_of(n) / std::max(n_blocks, 1.0);
}

double BlockCuts::width_of_records(const Block& block, index_t column) const {
    const Attribute& attribute = attributes_[column];
    const double weight = attribute.weight;
    switch (attribute.rule[block.parts[column].node]) {
        case Rule::line: return weight * attribute.from_to(profile_.entries.front().code, profile_.entries.back().code);
        case Rule::subsets: return weight * (static_cast<double>(profile_.entries.size()) / attribute.n_codes());
        default: return weight * attribute.width[block.parts[column].node];
    }
}

// What n records lose in a block that covers `part` of the column, and of the others what it covered before.
double BlockCuts::loss(const Block& block, index_t column, const Part& part, index_t n, const index_t* classes) const {
    switch (loss_) {
        case LossKind::classification: {
            const index_t most = rows_.n_classes ? *std::max_element(classes, classes + rows_.n_classes) : n;
            return static_cast<double>(n - most);
        }
        case LossKind::volume: {
            double cells = static_cast<double>(part.size());
            for (index_t j = 0; j < rows_.d; ++j)
                if (j != column) cells *= static_cast<double>(block.parts[j].size());
            return static_cast<double>(n) * cells;
        }
        case LossKind::certainty: {
            double width = 0.0;
            for (index_t j = 0; j < rows_.d; ++j)
                width += width_of(attributes_[j], j == column ? part : block.parts[j]);
            return static_cast<double>(n) * width;
        }
        default: return at_best(n);
    }
}

void BlockCuts::add_side(const Block& block, index_t column, const Part& part, index_t n, const index_t* classes,
                         std::size_t cut) {
    auto& numbers = sides_.numbers;
    numbers.push_back(n);
    numbers.insert(numbers.end(), classes, classes + rows_.n_classes);
    for (index_t j = 0; j < rows_.d; ++j) {
        const Part& one = j == column ? part : block.parts[j];
        const index_t start = one.codes.empty() ? one.start : 0;  // of a subset only the size matters
        numbers.insert(numbers.end(), {start, start + one.size(), one.node});
    }
    sides_.cuts.push_back(cut);
}

// A cut that is not allowed has no sides.
void BlockCuts::drop_sides(std::size_t cut) {
    const std::size_t n_numbers = sides_.cuts.empty() ? 0 : sides_.numbers.size() / sides_.cuts.size();
    while (!sides_.cuts.empty() && sides_.cuts.back() == cut) sides_.cuts.pop_back();
    sides_.numbers.resize(sides_.cuts.size() * n_numbers);
}

void BlockCuts::ask_user(std::vector<Cut>& cuts) {
    if (!sides_.cuts.empty()) {
        const auto losses = user_loss_(sides_.numbers, static_cast<index_t>(sides_.cuts.size()));
        for (std::size_t i = 0; i < losses.size(); ++i) cuts[sides_.cuts[i]].rank += losses[i];
    }
    sides_ = {};
}

std::vector<Part> BlockCuts::parts(const Block& block, const index_t* order, const Cut& cut) {
    const Part& part = block.parts[cut.column];
    const Attribute& attribute = attributes_[cut.column];
    std::vector<Part> found;
    switch (attribute.rule[part.node]) {
        case Rule::all:
            for (index_t c = 0; c < attribute.n_children[part.node]; ++c) {
                const index_t child = attribute.first_child[part.node] + c;
                found.push_back({attribute.start[child], attribute.stop[child], child, {}});
            }
            break;
        case Rule::subsets: {
            profile_.read(rows_, block, order, cut.column);
            profile_.most_frequent_first();
            Part left{part.start, part.stop, part.node, {}}, right = left;
            for (index_t e = 0; e < cut.at; ++e) left.codes.push_back(profile_.entries[e].code);
            std::sort(left.codes.begin(), left.codes.end());
            for (index_t i = 0; i < part.size(); ++i) {
                const index_t code = part.codes.empty() ? part.start + i : part.codes[i];
                if (!std::binary_search(left.codes.begin(), left.codes.end(), code)) right.codes.push_back(code);
            }
            found = {left, right};
            break;
        }
        default:
            found.push_back({part.start, choice_ == CutChoice::halves ? cut.at + 1 : cut.at, part.node, {}});
            found.push_back({cut.at, part.stop, part.node, {}});
    }
    return found;
}

std::vector<index_t> BlockCuts::children(const Block& block, const index_t* order, const Cut& cut,
                                         const std::vector<Part>& parts) const {
    std::vector<index_t> found(block.end - block.begin);
    const Rule rule = attributes_[cut.column].rule[block.parts[cut.column].node];
    index_t ties = block.total / 2;  // records equal to the median that still go left
    if (choice_ == CutChoice::halves)
        for (index_t at = block.begin; at < block.end; ++at) ties -= rows_.code(order[at], cut.column) < cut.at;
    for (index_t i = 0; i < block.end - block.begin; ++i) {
        const index_t code = rows_.code(order[block.begin + i], cut.column);
        if (rule == Rule::all) {
            index_t child = 0;
            while (code >= parts[child].stop) ++child;
            found[i] = child;
        } else if (rule == Rule::subsets) {
            found[i] = !std::binary_search(parts[0].codes.begin(), parts[0].codes.end(), code);
        } else if (choice_ == CutChoice::halves && code == cut.at) {
            found[i] = ties-- > 0 ? 0 : 1;
        } else {
            found[i] = code >= cut.at;
        }
    }
    return found;
}

}  // namespace shoal
