/// A registry of policies: the rows of a family by name. Every family has one, in this form.
///
/// An explicit list: a policy exists for commands, tests and proofs exactly when it is a row. An id `policy:variant` is
/// a policy under another interpretation of its paper.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "model/core/errors.hpp"
#include "model/core/policy_info.hpp"

namespace schedproof {

/// `Row` has a member `info` and whatever makes the policy.
template <class Row, std::size_t size>
class Registry {
  public:
    constexpr explicit Registry(const std::array<Row, size>& rows) : rows_(rows) {
        for (std::size_t i = 0; i < size; ++i) infos_[i] = rows[i].info;
    }

    [[nodiscard]] constexpr std::span<const PolicyInfo> infos() const { return infos_; }

    /// The row of this id; null when there is none.
    [[nodiscard]] constexpr const Row* find(std::string_view id) const {
        for (const Row& row : rows_)
            if (row.info.id == id) return &row;
        return nullptr;
    }

    /// The id that a name stands for: itself, or, where no policy has the name as its id, the first of its variants;
    /// empty when the name is unknown. The view lives as long as the program.
    [[nodiscard]] constexpr std::string_view resolve(std::string_view name) const {
        if (const Row* row = find(name)) return row->info.id;
        for (const Row& row : rows_)
            if (row.info.id.substr(0, row.info.id.find(':')) == name) return row.info.id;
        return {};
    }

    /// Position of the row that the name stands for. Throws InputError when the name is unknown.
    [[nodiscard]] std::size_t index(std::string_view name) const {
        const std::string_view id = resolve(name);
        if (id.empty())
            throw InputError::at_key("policy", "expected a registered policy, not '" + std::string(name) + "'");
        return static_cast<std::size_t>(find(id) - rows_.data());
    }
    [[nodiscard]] const Row& operator[](std::string_view name) const { return rows_[index(name)]; }

  private:
    std::array<Row, size> rows_;
    std::array<PolicyInfo, size> infos_{};
};

}  // namespace schedproof
