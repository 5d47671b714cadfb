/// A registry of policies: the rows of a family by name. Every family has one, in this form.
///
/// An explicit list: a policy exists for commands, tests and proofs exactly when it is a row. An id `policy:variant` is
/// a policy under another interpretation of its paper. A run may add policies of its user before it asks for any.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/core/errors.hpp"
#include "model/core/policy_info.hpp"

namespace schedproof {

/// No ids: sentences about a policy of such a name would read as if they spoke of more than it.
inline constexpr std::array<std::string_view, 16> words_of_sentences{
    "all",  "all-clusters", "all-policies", "any",           "any-cluster",    "any-policy",
    "each", "each-policy",  "every",        "every-cluster", "every-instance", "every-policy",
    "no",   "no-policy",    "some-policy",  "the-policy"};

/// A further name of a policy in the literature, and its id.
struct OtherName {
    std::string_view name, id;
};

/// `Entry` has a member `info` and whatever makes the policy.
template <class Entry>
class Registry {
  public:
    template <std::size_t size>
    explicit Registry(const std::array<Entry, size>& rows, std::vector<OtherName> other_names = {})
        : other_names_(std::move(other_names)) {
        for (const Entry& row : rows) append(row);
    }

    /// A policy of the user, for the rest of the run. Views of the rows end; the texts of `row.info` live on.
    /// Throws InputError when a policy answers to this id, and when sentences with it would be misread.
    void add(const Entry& row) {
        const std::string_view id = row.info.id;
        if (std::find(words_of_sentences.begin(), words_of_sentences.end(), id.substr(0, id.find(':'))) !=
            words_of_sentences.end())
            throw InputError::at_key(
                "policy", "expected a name that is not read as a part of a sentence, not '" + std::string(id) + "'");
        if (!resolve(row.info.id).empty())
            throw InputError::at_key("policy",
                                     "expected a name that no policy has, not '" + std::string(row.info.id) + "'");
        append(row);
    }

    [[nodiscard]] std::span<const PolicyInfo> infos() const { return infos_; }

    /// The row of this id; null when there is none.
    [[nodiscard]] const Entry* find(std::string_view id) const {
        for (const Entry& row : rows_)
            if (row.info.id == id) return &row;
        return nullptr;
    }

    /// The id that a name stands for: itself, or, where no policy has the name as its id, the first of its variants, or
    /// the policy that the literature calls so; empty when the name is unknown. The view lives as long as the program.
    [[nodiscard]] std::string_view resolve(std::string_view name) const {
        if (const Entry* row = find(name)) return row->info.id;
        for (const Entry& row : rows_)
            if (row.info.id.substr(0, row.info.id.find(':')) == name) return row.info.id;
        for (const OtherName& other : other_names_)
            if (other.name == name) return other.id;
        return {};
    }

    /// Position of the row that the name stands for. Throws InputError when the name is unknown.
    [[nodiscard]] std::size_t index(std::string_view name) const {
        const std::string_view id = resolve(name);
        if (id.empty())
            throw InputError::at_key("policy", "expected a registered policy, not '" + std::string(name) + "'");
        return static_cast<std::size_t>(find(id) - rows_.data());
    }
    [[nodiscard]] const Entry& operator[](std::string_view name) const { return rows_[index(name)]; }

  private:
    void append(const Entry& row) {
        rows_.push_back(row);
        infos_.push_back(row.info);
    }

    std::vector<Entry> rows_;
    std::vector<PolicyInfo> infos_;
    std::vector<OtherName> other_names_;
};

}  // namespace schedproof
