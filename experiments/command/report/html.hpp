/// HTML as values: text is escaped where it becomes markup, so no name and no sentence can leave its place.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedproof::cli::site {

class Html;

/// Names and values of a tag; values are escaped.
using Attributes = std::vector<std::pair<std::string_view, std::string>>;

/// A run of markup. Text that is put into one is escaped; only `raw` takes markup as it is.
class Html {
  public:
    // Implicit, so that text stands where markup is asked for.
    // NOLINTBEGIN(google-explicit-constructor)
    Html() = default;
    Html(std::string_view text);
    Html(const std::string& text) : Html(std::string_view(text)) {}
    Html(const char* text) : Html(std::string_view(text)) {}
    // NOLINTEND(google-explicit-constructor)

    /// Requires well-formed markup.
    [[nodiscard]] static Html raw(std::string markup);

    Html& operator+=(const Html& other);
    friend Html operator+(Html left, const Html& right) { return left += right; }

    [[nodiscard]] const std::string& markup() const { return markup_; }
    [[nodiscard]] bool empty() const { return markup_.empty(); }

  private:
    std::string markup_;
};

/// Text with every character escaped that could end it, in an element or in a quoted attribute; control characters and
/// bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string escaped(std::string_view text);

[[nodiscard]] Html element(std::string_view name, const Attributes& attributes, const Html& content);
[[nodiscard]] Html element(std::string_view name, const Html& content);
/// One without content and end tag, such as `img`.
[[nodiscard]] Html void_element(std::string_view name, const Attributes& attributes);

[[nodiscard]] Html link(const std::string& target, const Html& content);
/// Some text in the type of a machine.
[[nodiscard]] Html code(std::string_view text);
[[nodiscard]] Html paragraph(const Html& content);

/// JSON for scripts of the page, under an id. `json` is one value.
[[nodiscard]] Html data_script(const std::string& id, std::string_view json);

}  // namespace schedproof::cli::site
