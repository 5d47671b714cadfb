/// SVG as Graphviz and this project write it, checked element by element.
///
/// A picture comes from a file that anyone may have written, and a page that takes it in gives it the rights of the
/// page. So it is read as tags and text, and written anew from what is known to draw: an element or an attribute that
/// is not in the tables here ends the attempt, or is left out, and text is escaped again. What takes room and draws
/// nothing is left out too: ids that nothing refers to, the common font, space between tags.
#include "experiments/command/report/svg.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "experiments/command/report/html.hpp"

namespace schedproof::cli::site {

namespace {

constexpr std::array drawing{"svg",  "g",        "title", "polygon", "path", "ellipse", "circle",         "rect",
                             "line", "polyline", "text",  "tspan",   "a",    "defs",    "linearGradient", "stop"};
constexpr std::array attributes{"class",
                                "d",
                                "cx",
                                "cy",
                                "rx",
                                "ry",
                                "r",
                                "x",
                                "y",
                                "x1",
                                "x2",
                                "y1",
                                "y2",
                                "dx",
                                "dy",
                                "width",
                                "height",
                                "points",
                                "transform",
                                "viewBox",
                                "fill",
                                "stroke",
                                "stroke-width",
                                "stroke-dasharray",
                                "fill-opacity",
                                "stroke-opacity",
                                "opacity",
                                "text-anchor",
                                "font-family",
                                "font-size",
                                "font-weight",
                                "font-style",
                                "offset",
                                "stop-color",
                                "stop-opacity",
                                "stroke-linecap",
                                "stroke-linejoin",
                                "text-decoration",
                                "dominant-baseline"};

template <std::size_t n>
bool among(const std::array<const char*, n>& known, std::string_view name) {
    return std::find(known.begin(), known.end(), name) != known.end();
}

bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ':' || c == '-' ||
           c == '_';
}

/// A page of this site, without a scheme.
bool is_relative(std::string_view target) {
    return !target.empty() && target.find(':') == std::string_view::npos && !target.starts_with("//");
}

/// The five entities of XML and numbers, read back; others stay as text.
std::string unescaped(std::string_view text) {
    static const std::vector<std::pair<std::string_view, char>> entities{
        {"&amp;", '&'},  {"&lt;", '<'},  {"&gt;", '>'},  {"&quot;", '"'},
        {"&#39;", '\''}, {"&#45;", '-'}, {"&#10;", '\n'}};
    std::string out;
    while (!text.empty()) {
        const auto found = std::find_if(entities.begin(), entities.end(),
                                        [&](const auto& entity) { return text.starts_with(entity.first); });
        const bool numeric = text.starts_with("&#160;");
        if (found != entities.end())
            out += found->second;
        else
            out += numeric ? std::string_view("\u00A0") : text.substr(0, 1);
        text.remove_prefix(found != entities.end() ? found->first.size() : numeric ? 6 : 1);
    }
    return out;
}

class Reader {
  public:
    Reader(std::string_view text, std::string_view prefix, const LinkTargets& targets)
        : rest_(text), prefix_(prefix), targets_(targets) {}

    std::optional<std::string> picture() {
        const std::size_t begin = rest_.find("<svg");
        if (begin == std::string_view::npos) return {};
        rest_.remove_prefix(begin);
        while (good_ && (!open_.empty() || out_.empty())) item();
        return good_ ? std::optional(out_) : std::nullopt;
    }

  private:
    void item() {
        if (rest_.empty()) return fail();
        if (rest_.starts_with("<!--")) return skip_past("-->");
        if (rest_.starts_with("</")) return end_tag();
        if (rest_.front() == '<') return start_tag();
        const std::string_view text = rest_.substr(0, rest_.find('<'));
        if (text.find_first_not_of(" \t\r\n") != std::string_view::npos) out_ += escaped(unescaped(text));
        rest_.remove_prefix(text.size());
    }
    void skip_past(std::string_view mark) {
        const std::size_t end = rest_.find(mark);
        if (end == std::string_view::npos) return fail();
        rest_.remove_prefix(end + mark.size());
    }
    std::string name() {
        const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_name);
        std::string read(rest_.begin(), end);
        rest_.remove_prefix(read.size());
        return read;
    }
    void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }

    void start_tag() {
        rest_.remove_prefix(1);
        const std::string element = name();
        if (!among(drawing, element)) return fail();
        std::string tag = "<" + element;
        tooltip_.clear();
        for (skip_space(); good_ && !rest_.starts_with(">") && !rest_.starts_with("/>"); skip_space())
            tag += attribute(element);
        if (!good_) return;
        const bool closed = rest_.front() == '/';
        rest_.remove_prefix(closed ? 2 : 1);
        out_ += tag + (closed ? "/>" : ">");
        if (closed) return;
        open_.push_back(element);
        // Graphviz keeps tooltips where browsers do not look for them.
        if (!tooltip_.empty()) out_ += "<title>" + escaped(tooltip_) + "</title>";
    }
    std::string attribute(const std::string& element) {
        const std::string key = name();
        if (key.empty() || !rest_.starts_with("=\"")) return fail(), "";
        rest_.remove_prefix(2);
        const std::size_t end = rest_.find('"');
        if (end == std::string_view::npos) return fail(), "";
        const std::string value = unescaped(rest_.substr(0, end));
        rest_.remove_prefix(end + 1);
        if (key == "xlink:title") tooltip_ = value;
        // What no reference needs, and what the style of the page says.
        if ((key == "id" && !element.ends_with("Gradient")) || (key == "font-family" && value.starts_with("Helvetica")))
            return "";
        return written(key, value);
    }
    /// The attribute as it stands in the page; empty for one that is left out.
    [[nodiscard]] std::string written(const std::string& key, const std::string& value) const {
        const auto as = [](std::string_view name, std::string_view text) {
            return " " + std::string(name) + "=\"" + escaped(text) + "\"";
        };
        if (key == "id") return as("id", std::string(prefix_) + value);
        if (key == "xlink:href" || key == "href") {
            const auto target = targets_.find(value);
            if (target != targets_.end()) return as("href", target->second);
            return is_relative(value) ? as("href", value) : "";
        }
        if (among(attributes, key) && value.starts_with("url(#"))
            return as(key, "url(#" + std::string(prefix_) + value.substr(5));
        if (value.find("url(") != std::string::npos) return "";
        return among(attributes, key) ? as(key, value) : "";
    }
    void end_tag() {
        rest_.remove_prefix(2);
        const std::string element = name();
        skip_space();
        if (open_.empty() || open_.back() != element || !rest_.starts_with(">")) return fail();
        rest_.remove_prefix(1);
        open_.pop_back();
        out_ += "</" + element + ">";
    }
    void fail() { good_ = false; }

    std::string_view rest_, prefix_;
    const LinkTargets& targets_;
    std::string out_, tooltip_;
    std::vector<std::string> open_;
    bool good_ = true;
};

}  // namespace

std::optional<std::string> inline_svg(std::string_view svg, std::string_view prefix, const LinkTargets& targets) {
    return Reader(svg, prefix, targets).picture();
}

}  // namespace schedproof::cli::site
