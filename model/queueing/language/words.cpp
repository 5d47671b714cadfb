/// The page of words and the vocabulary in comments. The section of a primitive follows from its row: who decides,
/// whether it draws, what it denotes; so a new row needs no line here.
#include "model/queueing/language/words.hpp"

#include <fmt/core.h>

#include "model/base/notation.hpp"
#include "model/queueing/language/rules.hpp"

namespace schedproof::queueing::language {

namespace {

std::string_view section_of(const Operation& row) {
    if (row.plans) return "answers of a plan, in C++ only";
    if (row.sort == Sort::key)
        return is_value(row) ? "values of a key over a set, the same for all candidates" : "keys";
    if (row.sort == Sort::test) return "tests, and conditions on values";
    if (row.numbers) return "sets that number servers";
    if (row.draws) return "random sets";
    if (row.by == Decider::task) return "sets of an arriving task";
    return row.by == Decider::server ? "sets of an idle server" : "sets of both";
}

std::string in_code(const std::string& text) {
    std::string cell;
    for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
    return "`" + cell + "`";
}

/// The lines of one kind of word.
std::string lines(std::string_view mark, std::string_view kind, const std::vector<std::string>& words) {
    constexpr std::size_t columns = 120;
    std::string text, line = fmt::format("{}   {:<8}", mark, kind);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string word = words[i] + (i + 1 < words.size() ? "," : "");
        if (line.size() + 1 + word.size() > columns) {
            text += line + "\n";
            line = fmt::format("{}   {:<8}", mark, "");
        }
        line += (line.back() == ' ' ? "" : " ") + word;
    }
    return text + line + "\n";
}

template <class Holds>
std::vector<std::string> usages(Holds&& holds) {
    std::vector<std::string> found;
    for (const Operation& row : operations)
        if (row.in_texts && row.op != Op::it && holds(row)) found.push_back(usage(row));
    return found;
}

}  // namespace

std::string usage(const Operation& row) {
    std::vector<std::string> parts;
    char set = 'A';
    for (std::size_t k = 0; k < parts_of(row); ++k) switch (row.parts[k]) {
            case Part::set:
                parts.emplace_back(1, set++);
                break;
            case Part::key:
                parts.emplace_back("key");
                break;
            case Part::test:
                parts.emplace_back("test");
                break;
            case Part::condition:
                parts.emplace_back("condition");
                break;
            case Part::count:
                parts.emplace_back("d");
                break;
            case Part::natural:
                parts.emplace_back("n");
                break;
            case Part::not_below:
                parts.emplace_back("m");
                break;
            case Part::probability:
                parts.emplace_back("p");
                break;
            case Part::number:
                parts.emplace_back("2");
                break;
            case Part::table:
                parts.emplace_back("\"...\"");
                break;
            case Part::none:
                break;
        }
    switch (row.form) {
        case Form::word:
            return std::string(row.written);
        case Form::prefix:
            return std::string(row.written) + parts[0];
        case Form::rate:
            return fmt::format("{} * {}", row.written, parts[0]);
        case Form::factor:
            if (parts.size() == 1) parts.emplace_back("rate");
            [[fallthrough]];
        case Form::infix:
            return fmt::format("{} {} {}", parts[0], row.written, parts[1]);
        default:
            return fmt::format("{}({})", row.written, base::joined(parts, ", ", [](const auto& part) { return part; }));
    }
}

std::vector<WordSection> word_sections() {
    std::vector<WordSection> sections;
    for (const Operation& row : operations) {
        const std::string_view title = section_of(row);
        WordSection* known = nullptr;
        for (WordSection& section : sections)
            if (section.title == title) known = &section;
        if (known == nullptr) known = &sections.emplace_back(WordSection{title, {}});
        known->rows.emplace_back(row);
    }
    return sections;
}

std::string page_of_words() {
    std::string page;
    for (const WordSection& section : word_sections()) {
        page += fmt::format("{}| {} | |\n|---|---|\n", page.empty() ? "" : "\n", section.title);
        for (const Operation& row : section.rows)
            page += fmt::format("| {} | {} |\n", in_code(usage(row)), row.meaning);
    }
    return page;
}

std::string vocabulary_comment(std::string_view mark) {
    const auto named = [](Decider by) {
        return usages([by](const Operation& row) {
            return names_queues(row) && !has_part(row, Part::table) && (row.by == Decider::anyone || row.by == by);
        });
    };
    std::vector<std::string> arrangements;
    for (int queues = 0; queues <= static_cast<int>(Arrangement::single); ++queues)
        arrangements.emplace_back(to_string(static_cast<Arrangement>(queues)));
    const auto of_sort = [](Sort sort) {
        return usages([sort](const Operation& row) { return row.sort == sort && !names_queues(row); });
    };
    return lines(mark, "keep", arrangements) + lines(mark, "route", named(Decider::task)) +
           lines(mark, "serve", named(Decider::server)) + lines(mark, "sets", of_sort(Sort::set)) +
           lines(mark, "keys", of_sort(Sort::key)) + lines(mark, "tests", of_sort(Sort::test));
}

}  // namespace schedproof::queueing::language
