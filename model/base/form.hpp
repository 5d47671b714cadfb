/// What values of answers and files may be, as trees of one type, from which their JSON schema and text are made and by
/// which files are checked when they are read.
#pragma once

#include <boost/container/vector.hpp>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/json.hpp"

namespace schedproof::base {

class Cursor;
struct Member;
/// A container that may be named before its items are whole, which std::vector may not be where clang reads constexpr
/// destructors.
using Members = boost::container::vector<Member>;

/// What a value may be.
struct Shape {
    /// `tuple`: a list whose items differ in kind by position, and from the last one on are of one kind if `repeats`.
    /// `object`: one that another description is about.
    enum class Kind { exact, real, integer, boolean, text, list, tuple, map, record, choice, object };

    Kind kind = Kind::text;
    bool or_null = false;
    bool or_empty = false;                ///< a text
    std::vector<std::string> words = {};  ///< the only ones: of a text, an integer, or the fraction of an exact number
    std::string pattern = {};             ///< of a text
    /// Of numbers, inclusive unless `open`; of an exact number `least` is 0.
    std::optional<double> least = {}, most = {};
    bool open = false;
    std::size_t least_items = 0;  ///< of a list or map
    std::size_t most_items = std::numeric_limits<std::size_t>::max();
    bool distinct = false;          ///< no item of the list stands twice
    bool repeats = false;           ///< of a tuple
    std::vector<Shape> items = {};  ///< of a list or map one; of a choice the alternatives, which exclude one another
    Members members = {};           ///< of a record
    std::string name = {};          ///< of a record that several places hold: that of its definition in the schema
    std::string meaning = {};       ///< of a record
    std::size_t column = 0;         ///< of a record in text: the width of its labels; 0: that of the longest
};

/// A field of a record: what it holds, when it is there, and how the text shows it.
struct Member {
    /// `aside`: for the lines around it alone.
    enum class In { json, text, both, aside };
    /// `line`: the value, or what the form makes of it, behind the label. `each`: such a line for each item. `below`:
    /// the line, and under it, indented, the fields of the record or the lines of the items. `table`: the line, if any,
    /// without a label, and the lines of the items, if there are any. `among`: the fields of the record among those
    /// around it. `verbatim`: the text alone.
    enum class Layout { line, each, below, table, among, verbatim };

    [[nodiscard]] bool in_json() const { return in == In::json || in == In::both; }
    [[nodiscard]] bool in_text() const { return in == In::text || in == In::both; }
    /// Whether the field that decides, if any, has one of the values with which this one is there.
    [[nodiscard]] bool is_decided(const Json& record) const;
    [[nodiscard]] bool is_decided_by(std::string_view value) const;

    std::string name = {}, meaning = {}, unit = {};
    Shape shape = {};
    bool left_out = false;                   ///< rather than null where there is no value
    std::string decided_by = {};             ///< the field by whose value it is there or not, or empty
    std::vector<std::string> deciding = {};  ///< the values with which it is there, or beginnings, with `*` behind
    bool null_otherwise = false;             ///< rather than left out, by what another field decides
    In in = In::both;
    std::string label = {};
    std::string form = {};  ///< of its line; see `FieldOf::form`
    std::string each = {};  ///< of a line for each item of a list of records
    Layout layout = Layout::line;
    std::string none = {};  ///< what stands for null
};

/// What a file or answer of its own is, beyond its fields.
struct Form {
    std::string schema;   ///< name of its schema
    std::string meaning;  ///< description in the schema
    bool lists_files = false;
    Shape shape;
    bool headed = true;  ///< with the members `schema` and `version`, which the shape leaves out
};

/// The JSON schema (draft 7): strict, with a definition for each named record.
[[nodiscard]] std::string schema_text(const Form& form);

/// The lines of a record, each with `indent` blanks before it.
[[nodiscard]] std::string text_of(const Shape& record, const Json& value, std::size_t indent = 0);

/// Throws InputError with file, line and key path of the first value that is not of the shape: of another kind or out
/// of range, a member that is missing, or that is not known. Patterns of texts are left to whoever reads the texts.
void require_shape(const Cursor& at, const Shape& shape);
/// The same of a file, its members `schema` and `version` included.
void require_form(const Cursor& root, const Form& form);

}  // namespace schedproof::base
