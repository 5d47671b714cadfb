/// A parsed document, whatever it was written in.
///
/// TOML and JSON files carry the same schema, so both are turned into one tree of values that know the line they stand
/// on, and one reader decodes the tree. What the tree cannot hold is a floating-point number: a literal such as 0.5
/// has already lost its exactness when a library hands it over, so it is kept as a `Literal` that only an error
/// message will ever look at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace schedproof::base {

/// Limits of a document. Each is far above any file a person or a generator of ours writes, and low enough that no
/// file makes the reader run out of memory or stack.
inline constexpr std::size_t max_json_bytes = std::size_t{64} << 20;
inline constexpr std::size_t max_toml_bytes = std::size_t{16} << 20;
inline constexpr std::size_t max_document_values = 4'000'000;
inline constexpr std::size_t max_document_depth = 32;
inline constexpr std::size_t max_name_bytes = 1'000;         ///< of a name in an instance
inline constexpr std::size_t max_generated_name_bytes = 16;  ///< of a prefix, before the number

/// A literal without an exact value: a float, a date, null. `kind` is how messages call it.
struct Literal {
    std::string kind;
    std::string text;
};

/// The kind of a literal that is an integer of more than 63 bits.
inline constexpr const char* large_integer = "integer beyond 64 bits";

struct Field;

/// One value and the line on which it begins (0 when unknown).
struct Node {
    using Array = std::vector<Node>;
    using Table = std::vector<Field>;  ///< in file order for JSON, by key for TOML; keys are unique

    std::variant<std::string, std::int64_t, bool, Literal, Array, Table> value;
    std::size_t line = 0;
};

struct Field {
    std::string key;
    Node value;
};

/// The entry of a table under a key, or null.
[[nodiscard]] const Node* find(const Node::Table& table, std::string_view key);

enum class Format { toml, json };

/// The format that the extension names (.toml, .json); failing that JSON for text that begins with `{`, else TOML.
[[nodiscard]] Format detect_format(std::string_view path, std::string_view text);

/// Parses a document whose root is a table. `file` names it in errors.
/// Throws InputError with file and line when the text is empty, binary, ill-formed, or exceeds a limit above.
[[nodiscard]] Node parse_document(std::string_view text, Format format, const std::string& file);

/// The two parsers behind `parse_document`; they require valid text within the byte limits.
[[nodiscard]] Node parse_toml(std::string_view text, const std::string& file);
[[nodiscard]] Node parse_json(std::string_view text, const std::string& file,
                              std::size_t max_values = max_document_values);

}  // namespace schedproof::base
