/// JSON to `Node`, by nlohmann's event parser.
///
/// The events carry no positions, so the parser is fed through an iterator that notes how far it has read; the line
/// of an event is that of the last byte consumed. Nesting is bounded here, on the way down, because the tree is later
/// walked and destroyed by recursion.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "model/base/document.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::base {

namespace {

/// How far the parser has read, and on which line that is.
struct Progress {
    const char* counted = nullptr;
    const char* reached = nullptr;
    std::size_t line = 1;

    /// Line of the last byte read. That byte itself is left out: after a number it is the separator, often a newline.
    std::size_t current_line() {
        if (reached > counted) {
            line += static_cast<std::size_t>(std::count(counted, reached, '\n'));
            counted = reached;
        }
        return line;
    }
};

class TrackedIterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    TrackedIterator(const char* at, Progress* progress) : at_(at), progress_(progress) {}
    reference operator*() const { return *at_; }
    TrackedIterator& operator++() {
        progress_->reached = at_;
        ++at_;
        return *this;
    }
    TrackedIterator operator++(int) {
        const TrackedIterator old = *this;
        ++*this;
        return old;
    }
    friend bool operator==(const TrackedIterator& a, const TrackedIterator& b) { return a.at_ == b.at_; }

  private:
    const char* at_;
    Progress* progress_;
};

class TreeBuilder {
  public:
    using json = nlohmann::json;

    TreeBuilder(const std::string& file, Progress& progress, std::size_t max_values)
        : file_(file), progress_(progress), max_values_(max_values) {}
    Node take() { return std::move(root_); }

    bool null() { return add(Literal{"null", "null"}); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(json::number_integer_t value) {
        // No sign stands before 0 in the numbers of an index or a count: it is kept, and what reads integers refuses
        // it.
        return value == 0 ? add(Literal{"float", "-0"}) : add(std::int64_t{value});
    }
    bool number_unsigned(json::number_unsigned_t value) {
        if (value <= static_cast<json::number_unsigned_t>(INT64_MAX)) return add(static_cast<std::int64_t>(value));
        return add(Literal{large_integer, std::to_string(value)});
    }
    bool number_float(json::number_float_t, const std::string& text) { return add(Literal{"float", text}); }
    bool string(std::string& value) { return add(std::move(value)); }
    bool binary(json::binary_t&) { return false; }
    bool start_object(std::size_t) { return open(Node::Table{}); }
    bool start_array(std::size_t) { return open(Node::Array{}); }
    bool end_array() { return close(); }
    bool key(std::string& name) {
        keys_.back() = std::move(name);
        return true;
    }
    bool end_object() {
        require_unique_keys(std::get<Node::Table>(open_.back()->value));
        return close();
    }
    bool parse_error(std::size_t, const std::string&, const json::exception& error) {
        // The library's text reads "[json.exception...] parse error at line 1, column 2: what it wanted".
        const std::string_view what(error.what());
        const std::size_t column = what.find(", column ");
        const std::size_t colon = what.find(": ", column == std::string_view::npos ? 0 : column);
        std::string_view detail = colon == std::string_view::npos ? what : what.substr(colon + 2);
        fail("expected well-formed JSON: " + std::string(detail.substr(0, 200)));
    }

  private:
    [[noreturn]] void fail(std::string expected) {
        throw InputError::at_line(file_, progress_.current_line(), std::move(expected));
    }

    template <class Value>
    Node& place(Value value) {
        if (++values_ > max_values_) fail(fmt::format("expected at most {} values in a file", max_values_));
        Node node{std::move(value), progress_.current_line()};
        if (open_.empty()) return root_ = std::move(node);
        if (auto* array = std::get_if<Node::Array>(&open_.back()->value)) return array->emplace_back(std::move(node));
        return std::get<Node::Table>(open_.back()->value)
            .emplace_back(Field{std::move(keys_.back()), std::move(node)})
            .value;
    }
    template <class Value>
    bool add(Value value) {
        place(std::move(value));
        return true;
    }
    template <class Value>
    bool open(Value value) {
        if (open_.size() == max_document_depth)
            fail(fmt::format("expected at most {} levels of nesting", max_document_depth));
        // The address stays good: a container grows only after its open child has been closed.
        Node& node = place(std::move(value));
        open_.push_back(&node);
        keys_.emplace_back();
        return true;
    }
    bool close() {
        open_.pop_back();
        keys_.pop_back();
        return true;
    }
    void require_unique_keys(const Node::Table& table) {
        std::vector<std::string_view> names;
        for (const Field& field : table) names.emplace_back(field.key);
        std::sort(names.begin(), names.end());
        const auto twice = std::adjacent_find(names.begin(), names.end());
        if (twice != names.end()) fail("expected each key once, but " + shown(*twice) + " stands twice");
    }

    const std::string& file_;
    Progress& progress_;
    std::size_t max_values_;
    Node root_;
    std::vector<Node*> open_;
    std::vector<std::string> keys_;
    std::size_t values_ = 0;
};

}  // namespace

Node parse_json(std::string_view text, const std::string& file, std::size_t max_values) {
    Progress progress{text.data(), text.data(), 1};
    TreeBuilder builder(file, progress, max_values);
    nlohmann::json::sax_parse(TrackedIterator(text.data(), &progress),
                              TrackedIterator(text.data() + text.size(), &progress), &builder);
    Node root = builder.take();
    if (!std::holds_alternative<Node::Table>(root.value))
        throw InputError::at_line(file, root.line, "expected a JSON object");
    return root;
}

}  // namespace schedproof::base
