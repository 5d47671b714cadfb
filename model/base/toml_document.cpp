/// TOML to `Node`, by toml++.
///
/// toml++ bounds the nesting of arrays and inline tables but not the length of a dotted key, so `a.a.a.a...` builds a
/// tree whose destruction overflows the stack; a long array of small numbers costs it some hundred bytes a number;
/// `a = [}` breaks one of its assertions; and where it looks for a blank, some letters beyond ASCII reach code that it
/// calls unreachable. A scan that knows strings, comments and brackets, and nothing else of the language, refuses all
/// of that before it starts. The one valid thing refused is a letter beyond ASCII straight after a line-ending
/// backslash.
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

#include "model/base/document.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::base::detail {
struct TomlAssertion {};
[[noreturn]] void fail_toml_assertion() { throw TomlAssertion{}; }
}  // namespace schedproof::base::detail

// An assertion of toml++ aborts a debug build, and in a release build it is an assumption that the optimiser believes.
// Since ill-formed text can break one, here they throw in every build. No other file includes toml++.
#undef NDEBUG
#define TOML_ASSERT(expr) (static_cast<bool>(expr) ? void() : ::schedproof::base::detail::fail_toml_assertion())
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace schedproof::base {

namespace {

class Scan {
  public:
    Scan(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    /// Throws InputError when a key is too deep, the values are too many, brackets do not match, or a character beyond
    /// ASCII stands where none may.
    void run() {
        constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
        for (std::size_t i = text_.starts_with(byte_order_mark) ? byte_order_mark.size() : 0; i < text_.size(); ++i) {
            const char c = text_[i];
            if (c == '"' || c == '\'') {
                // toml++ reads on over a quote in the middle of a bare value, so what it takes for a string would
                // differ.
                if (std::string_view("\n=,[{.").find(previous_) == std::string_view::npos)
                    fail("expected well-formed TOML: no string may begin here");
                const std::size_t end = skip_string(i);
                previous_ = c;
                line_ +=
                    static_cast<std::size_t>(std::count(text_.begin() + offset(i), text_.begin() + offset(end), '\n'));
                i = end - 1;
            } else if (c == '#') {
                i = std::min(text_.find('\n', i), text_.size()) - 1;
            } else {
                look_at(c);
            }
        }
    }

  private:
    static std::ptrdiff_t offset(std::size_t position) { return static_cast<std::ptrdiff_t>(position); }
    [[noreturn]] void fail(std::string expected) const { throw InputError::at_line(file_, line_, std::move(expected)); }

    static bool beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }

    /// Position just after the string that begins at `start`; of the newline or the end of the text when it is not
    /// closed.
    [[nodiscard]] std::size_t skip_string(std::size_t start) const {
        const char quote = text_[start];
        const std::string triple(3, quote);
        const bool multiline = text_.substr(start, 3) == triple;
        std::size_t i = start + (multiline ? 3 : 1);
        while (i < text_.size()) {
            if (text_[i] == '\\' && quote == '"') {
                require_plain_escape(i, multiline);
                i += 2;
            } else if (multiline ? text_.substr(i, 3) == triple : text_[i] == quote) {
                break;
            } else if (!multiline && text_[i] == '\n') {
                return i;
            } else {
                ++i;
            }
        }
        if (i >= text_.size()) return text_.size();
        i += multiline ? 3 : 1;
        // A multiline string may end with one or two quotes of its own before the closing three.
        for (int own = 0; multiline && own < 2 && i < text_.size() && text_[i] == quote; ++own) ++i;
        return i;
    }

    void require_plain_escape(std::size_t backslash, bool multiline) const {
        std::size_t next = backslash + 1;
        if (multiline) next = text_.find_first_not_of(" \t\r\n", next);
        if (next < text_.size() && beyond_ascii(text_[next]))
            fail("expected an ASCII character after the backslashes of this string");
    }

    void look_at(char c) {
        if (c != ' ' && c != '\t' && c != '\r') previous_ = c;
        if (beyond_ascii(c)) fail("expected well-formed TOML: letters beyond ASCII belong in quotes");
        if (c == '.' && ++dots_ > max_document_depth)
            fail(fmt::format("expected keys of at most {} parts", max_document_depth));
        if (c == '[' || c == '{') open_ += c;
        if (c == ']' || c == '}') close(c);
        if (c == '\n' || c == ',' || c == '=' || c == '[' || c == '{') dots_ = 0;
        if (c == '\n') ++line_;
        if ((c == ',' || c == '=' || c == '[' || c == '{') && ++values_ > max_document_values)
            fail(fmt::format("expected at most {} values in a file", max_document_values));
    }

    void close(char c) {
        const char opened = c == ']' ? '[' : '{';
        if (open_.empty() || open_.back() != opened)
            fail(fmt::format("expected well-formed TOML: this {} closes no {}", c, opened));
        open_.pop_back();
    }

    std::string_view text_;
    const std::string& file_;
    std::string open_;      // brackets that are open here
    char previous_ = '\n';  // last character that is no blank
    std::size_t line_ = 1;
    std::size_t dots_ = 0;
    std::size_t values_ = 0;
};

class Converter {
  public:
    explicit Converter(const std::string& file) : file_(file) {}

    /// `line` is that of the parent, for nodes that toml++ gives no position.
    Node convert(const toml::node& from, std::size_t line, std::size_t depth) const {
        if (from.source().begin.line != 0) line = from.source().begin.line;
        if (depth > max_document_depth)
            throw InputError::at_line(file_, line,
                                      fmt::format("expected at most {} levels of nesting", max_document_depth));
        Node to;
        to.line = line;
        if (const auto* table = from.as_table())
            to.value = fields(*table, line, depth);
        else if (const auto* array = from.as_array())
            to.value = items(*array, line, depth);
        else if (const auto* text = from.as_string())
            to.value = text->get();
        else if (const auto* integer = from.as_integer())
            to.value = std::int64_t{integer->get()};
        else if (const auto* flag = from.as_boolean())
            to.value = flag->get();
        else if (const auto* real = from.as_floating_point())
            to.value = Literal{"float", fmt::format("{}", real->get())};
        else
            to.value = Literal{"date or time", ""};
        return to;
    }

  private:
    Node::Table fields(const toml::table& from, std::size_t line, std::size_t depth) const {
        Node::Table to;
        to.reserve(from.size());
        for (const auto& [key, value] : from) to.push_back({std::string(key.str()), convert(value, line, depth + 1)});
        return to;
    }
    Node::Array items(const toml::array& from, std::size_t line, std::size_t depth) const {
        Node::Array to;
        to.reserve(from.size());
        for (const toml::node& value : from) to.push_back(convert(value, line, depth + 1));
        return to;
    }

    const std::string& file_;
};

}  // namespace

Node parse_toml(std::string_view text, const std::string& file) {
    Scan(text, file).run();
    try {
        const toml::table root = toml::parse(text);
        return Converter(file).convert(root, 1, 0);
    } catch (const detail::TomlAssertion&) {
        throw InputError::in_file(file, "expected well-formed TOML");
    } catch (const toml::parse_error& error) {
        throw InputError::at_line(file, error.source().begin.line,
                                  "expected well-formed TOML: " + std::string(error.description().substr(0, 200)));
    }
}

}  // namespace schedproof::base
