#include "bind/user_rule.hpp"

#include <memory>
#include <stdexcept>

namespace shoal {

UserRule user_rule(nb::callable function) {
    const std::shared_ptr<nb::callable> held(new nb::callable(std::move(function)), [](nb::callable* one) {
        nb::gil_scoped_acquire acquire;
        delete one;
    });
    return [held](const std::vector<index_t>& numbers, index_t n_rows) {
        nb::gil_scoped_acquire acquire;
        const auto rows = static_cast<std::size_t>(n_rows);
        const auto answers = nb::cast<InVector>((*held)(to_numpy(std::vector(numbers), {rows, numbers.size() / rows})));
        if (answers.size() != rows) throw std::length_error("a rule must answer every row");
        return copied(answers);
    };
}

}  // namespace shoal
