/// A small Markdown: line by line, blocks first, then what stands in a line.
///
/// The texts are the project's own and part of the program, so that a construct beyond this is seen when the pages are
/// looked at: it stands there as text, and nothing is lost. Markup of HTML is text.
#include "experiments/command/report/markdown.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "model/base/split.hpp"

namespace schedproof::cli::site {

namespace {

using base::trimmed;

/// The marker that begins an item of a list, with its space; 0 where there is none.
std::size_t item_marker(std::string_view line) {
    if (line.starts_with("* ") || line.starts_with("- ")) return 2;
    const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
    return digits > 0 && line.substr(digits).starts_with(". ") ? digits + 2 : 0;
}

std::size_t heading_level(std::string_view line) {
    const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
    return level >= 1 && level <= 6 && line.substr(level).starts_with(" ") ? level : 0;
}

class Blocks {
  public:
    Blocks(std::string_view text, const References& references, int top)
        : lines_(base::split(text, '\n')), references_(references), top_(top) {}

    Html html() {
        while (at_ < lines_.size()) block();
        return std::move(out_);
    }

  private:
    [[nodiscard]] bool more() const { return at_ < lines_.size(); }
    [[nodiscard]] std::string_view line() const { return lines_[at_]; }

    void block() {
        const std::string_view here = trimmed(line());
        if (here.empty())
            ++at_;
        else if (here.starts_with("```"))
            fence();
        else if (const std::size_t level = heading_level(here); level > 0)
            heading(here, level);
        else if (here.starts_with("|"))
            table();
        else if (item_marker(here) > 0)
            list();
        else
            out_ += paragraph(inline_markdown(running_text(), references_));
    }
    void fence() {
        std::string text;
        for (++at_; more() && !trimmed(line()).starts_with("```"); ++at_) text += std::string(line()) + "\n";
        ++at_;
        out_ += element("pre", {{"tabindex", "0"}}, element("code", text));
    }
    void heading(std::string_view here, std::size_t level) {
        ++at_;
        const int shown = std::min(top_ + static_cast<int>(level) - 1, 6);
        out_ += element(fmt::format("h{}", shown), inline_markdown(trimmed(here.substr(level)), references_));
    }
    /// Lines up to one that begins another block.
    std::string running_text() {
        std::string text(trimmed(line()));
        for (++at_; more(); ++at_) {
            const std::string_view next = trimmed(line());
            if (next.empty() || next.starts_with("|") || next.starts_with("```") || heading_level(next) > 0 ||
                item_marker(next) > 0)
                break;
            text += "\n" + std::string(next);
        }
        return text;
    }
    void list() {
        const bool numbered = item_marker(trimmed(line())) > 2;
        Html items;
        while (more() && item_marker(trimmed(line())) > 0) {
            const std::size_t marker = item_marker(trimmed(line()));
            items +=
                element("li", inline_markdown(trimmed(std::string_view(running_text()).substr(marker)), references_));
        }
        out_ += element(numbered ? "ol" : "ul", items);
    }
    void table() {
        Html head, body;
        for (const std::string& cell : cells(line()))
            head += element("th", {{"scope", "col"}}, inline_markdown(cell, references_));
        for (at_ += 2; more() && trimmed(line()).starts_with("|"); ++at_) {
            Html row;
            for (const std::string& cell : cells(line())) row += element("td", inline_markdown(cell, references_));
            body += element("tr", row);
        }
        out_ += element("div", {{"class", "scroll"}, {"tabindex", "0"}},
                        element("table", element("thead", element("tr", head)) + element("tbody", body)));
    }

    std::vector<std::string_view> lines_;
    const References& references_;
    int top_;
    std::size_t at_ = 0;
    Html out_;
};

/// What stands between two marks; nothing where the second is missing, or they have nothing between them.
std::optional<std::string_view> between(std::string_view text, std::string_view mark) {
    if (!text.starts_with(mark)) return {};
    const std::size_t end = text.find(mark, mark.size());
    if (end == std::string_view::npos || end == mark.size()) return {};
    return text.substr(mark.size(), end - mark.size());
}

/// `[text](target)` at the start: both, and how many bytes they take.
struct Link {
    std::string_view text, target;
    std::size_t length;
};
std::optional<Link> link_at(std::string_view text) {
    if (!text.starts_with('[')) return {};
    const std::size_t middle = text.find("](");
    if (middle == std::string_view::npos || text.substr(1, middle).find('[') != std::string_view::npos) return {};
    const std::size_t end = text.find(')', middle);
    if (end == std::string_view::npos) return {};
    return Link{text.substr(1, middle - 1), text.substr(middle + 2, end - middle - 2), end + 1};
}

}  // namespace

Html inline_markdown(std::string_view text, const References& references) {
    Html out;
    std::string plain;
    const auto put = [&](const Html& markup, std::size_t length) {
        out += plain;
        plain.clear();
        out += markup;
        text.remove_prefix(length);
    };
    while (!text.empty()) {
        const auto in_code = between(text, "`");
        const auto strong = between(text, "**");
        const auto emphasis = between(text, "*");
        if (in_code) {
            const auto page = references.name ? references.name(*in_code) : std::nullopt;
            put(page ? link(*page, code(*in_code)) : code(*in_code), in_code->size() + 2);
        } else if (strong) {
            put(element("strong", inline_markdown(*strong, references)), strong->size() + 4);
        } else if (emphasis && emphasis->front() != ' ' && emphasis->back() != ' ') {
            put(element("em", inline_markdown(*emphasis, references)), emphasis->size() + 2);
        } else if (const auto found = link_at(text)) {
            const auto page = references.page ? references.page(found->target) : std::nullopt;
            const Html shown = inline_markdown(found->text, references);
            put(page ? link(*page, shown) : shown, found->length);
        } else {
            plain += text.front();
            text.remove_prefix(1);
        }
    }
    return out + Html(plain);
}

Html markdown(std::string_view text, const References& references, int top) {
    return Blocks(text, references, top).html();
}

std::vector<std::string> cells(std::string_view row) {
    row = trimmed(row);
    if (row.starts_with('|')) row.remove_prefix(1);
    if (row.ends_with('|')) row.remove_suffix(1);
    std::vector<std::string> cells(1);
    bool in_code = false;
    for (const char c : row) {
        if (c == '`') in_code = !in_code;
        if (c == '|' && !in_code)
            cells.emplace_back();
        else
            cells.back() += c;
    }
    for (std::string& cell : cells) cell = std::string(trimmed(cell));
    return cells;
}

}  // namespace schedproof::cli::site
