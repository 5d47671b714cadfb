/// Entries of what may be no table, in a configuration that anybody wrote.
#pragma once

#include <optional>
#include <string_view>

#include "model/base/cursor.hpp"

namespace schedproof::input {

/// Throws InputError where `at` is no table.
[[nodiscard]] inline std::optional<base::Cursor> entry_of(const base::Cursor& at, std::string_view key) {
    at.expect_table("a table with keys");
    return at.find(key);
}
/// The same of an entry that must be there; `form` says what it holds.
[[nodiscard]] inline base::Cursor needed(const base::Cursor& at, std::string_view key, std::string_view form) {
    at.expect_table("a table with keys");
    return at.require(key, form);
}

}  // namespace schedproof::input
