/// The first error is looked at, with the lines around it up to the next.
///
/// Its place is the error's own when that is in the policy's file. Otherwise g++ names the way there before the error,
/// and the line of the policy's file that is nearest to the error is taken; clang++ names it after the error, from
/// within outwards, also where the error is that of a whole constant. Its sentence is the first of: the words of a
/// static_assert; what the library refuses in a constant expression (language/expressions.hpp), or says beside a
/// deleted function, both of which stand in the source lines that compilers quote; an operation that C++ has no
/// function for, its parts described by their types; the compiler's message without qualifications.
#include "experiments/command/policy_header/diagnosis.hpp"

#include <fmt/core.h>

#include <cctype>
#include <filesystem>
#include <optional>
#include <regex>
#include <utility>
#include <vector>

#include "model/base/split.hpp"

namespace schedproof::cli::policy_header {

namespace {

struct Remark {
    std::string file;
    std::size_t line = 0, column = 0;
    std::string text;  ///< of an error without the word

    bool error = false;
};

std::optional<Remark> remark(const std::string& line) {
    static const std::regex form(R"(^([^\s:][^:]*):(\d+)(?::(\d+))?:\s+(.*)$)"), error(R"(^(?:fatal )?error: (.*)$)");
    std::smatch parts, wrong;
    if (!std::regex_match(line, parts, form)) return {};
    Remark found{parts[1], std::stoul(parts[2]), parts[3].matched ? std::stoul(parts[3]) : 0, parts[4]};
    const std::string text = found.text;
    if (std::regex_match(text, wrong, error)) {
        found.error = true;
        found.text = wrong[1];
    }
    return found;
}

/// The lines from behind the error before to before the error after.
struct FirstError {
    std::vector<std::string> lines;
    Remark error;
    std::size_t at = 0;
};

std::optional<FirstError> first_error(std::string_view output) {
    FirstError found;
    bool met = false;
    for (const std::string_view line : base::split(output, '\n')) {
        const std::optional<Remark> here = remark(std::string(line));
        if (here && here->error) {
            if (met) break;
            met = true;
            found.error = *here;
            found.at = found.lines.size();
        }
        found.lines.emplace_back(line);
    }
    return met ? std::optional(found) : std::nullopt;
}

/// The remark of the policy's file nearest to the error.
Remark place(const FirstError& first, std::string_view file) {
    for (std::size_t i = first.at; i < first.lines.size(); ++i)
        if (const auto call = remark(first.lines[i]);
            call && call->file == file && call->text.starts_with("note: in call to"))
            return *call;
    if (first.error.file == file) return first.error;
    for (std::size_t i = first.at; i-- > 0;)
        if (const auto before = remark(first.lines[i]); before && before->file == file) return *before;
    for (std::size_t i = first.at; i < first.lines.size(); ++i)
        if (const auto after = remark(first.lines[i]); after && after->file == file) return *after;
    return {};
}

/// The first group of the first line that a pattern is found in.
std::string quoted_in(const std::vector<std::string>& lines, const std::regex& pattern) {
    for (const std::string& line : lines)
        if (std::smatch match; std::regex_search(line, match, pattern)) return match[1];
    return "";
}

/// A type that the language gives a meaning; any other type as it is.
std::string described(const std::string& type) {
    static const std::regex part(R"(\bExpression\b)"), real(R"(^(?:const )?(?:double|float|long double)$)"),
        number(R"(^(?:const )?(?:int|long|long long|.*Ratio)$)");
    if (std::regex_search(type, part)) return "a part of a rule";
    if (std::regex_search(type, real)) return "a machine real, which no rule may name";
    if (std::regex_search(type, number)) return "a number";
    return type;
}

/// The types of an argument list, described: commas between angle brackets separate no arguments.
std::string described_arguments(const std::string& list) {
    std::string text, type;
    int depth = 0;
    const auto end = [&] {
        if (!type.empty()) text += (text.empty() ? "" : ", ") + described(std::string(base::trimmed(type)));
        type.clear();
    };
    for (const char c : list) {
        depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
        if (c == ',' && depth == 0)
            end();
        else
            type += c;
    }
    end();
    return text;
}

/// An operation that the language does not have, or nothing.
std::string missing_operation(const FirstError& first) {
    static const std::regex gnu_operator(R"(^no match for 'operator(\S+)' \(operand types are '(.*)' and '(.*)'\)$)"),
        clang_operator(R"(^invalid operands to binary expression \('(.*)' and '(.*)'\)$)"),
        gnu_function(R"(^no matching function for call to '(?:\w+::)*(\w+)\((.*)\)'$)"),
        clang_function(R"(^no matching function for call to '(\w+)'$)"),
        gnu_conversion(R"(^invalid initialization of reference of type '(.*)' from expression of type '(.*)'$)");
    const std::string& text = first.error.text;
    std::smatch parts;
    if (std::regex_match(text, parts, gnu_operator))
        return fmt::format("the language has no '{}' between {} and {}", parts[1].str(), described(parts[2]),
                           described(parts[3]));
    if (std::regex_match(text, parts, clang_operator))
        return fmt::format("the language has no such operation on {} and {}", described(parts[1]), described(parts[2]));
    if (std::regex_match(text, parts, gnu_function))
        return fmt::format("the language has no {}({})", parts[1].str(), described_arguments(parts[2]));
    if (std::regex_match(text, parts, clang_function))
        return fmt::format("the language has no {} of these arguments", parts[1].str());
    if (std::regex_match(text, parts, gnu_conversion))
        return fmt::format("expected {}, not {}", described(parts[1]), described(parts[2]));
    return "";
}

/// A message without the qualifications that only say where the library has its names.
std::string unqualified(const std::string& text) {
    static const std::regex instantiation(R"( \[with .*\])");
    static const std::regex qualification(R"(\b(?:schedproof::(?:[a-z_]+::)*|(?:[a-z_]+::)*language::))");
    return std::regex_replace(std::regex_replace(text, instantiation, ""), qualification, "");
}

std::string sentence(const FirstError& first) {
    static const std::regex gnu_assertion(R"(^static assertion failed: (.*)$)"),
        clang_assertion(R"re(^static(?:_assert| assertion) failed.*?[" ]([^"]*)"?$)re"),
        thrown(R"re(\bthrow (?:\w+\()?"([^"]*)")re"),
        refused(R"re(\b(?:expected|expected_rule|unlike|wrong_unit)\("([^"]*)")re"), deleted(R"(= delete;\s*// (.*)$)");
    std::smatch parts;
    const std::string& text = first.error.text;
    if (std::regex_match(text, parts, gnu_assertion) || std::regex_match(text, parts, clang_assertion)) return parts[1];
    if (text.find("constant expression") != std::string::npos || text.find("call to non-") != std::string::npos) {
        if (std::string rule = quoted_in(first.lines, thrown); !rule.empty()) return rule;
        if (std::string rule = quoted_in(first.lines, refused); !rule.empty()) return "expected " + rule;
    }
    if (text.find("deleted") != std::string::npos)
        if (std::string rule = quoted_in(first.lines, deleted); !rule.empty()) return rule;
    if (std::string missing = missing_operation(first); !missing.empty()) return missing;
    return unqualified(text);
}

}  // namespace

Diagnosis diagnose(std::string_view output, std::string_view file) {
    const std::optional<FirstError> first = first_error(output);
    if (!first) return {};
    const Remark at = place(*first, file);
    const Remark& error = first->error;
    const auto shown = std::filesystem::path(error.file).lexically_proximate(std::filesystem::path(file).parent_path());
    return {at.line, at.column, sentence(*first),
            at.line > 0 ? "" : fmt::format("{}:{}:{}", shown.string(), error.line, error.column)};
}

}  // namespace schedproof::cli::policy_header
