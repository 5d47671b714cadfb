/// Values of options: from words to the type of the target, and back for defaults.
///
/// Whole numbers are decimal digits within a stated interval; real numbers are decimal and finite. A value is stored
/// only when it is allowed, and a complaint says what was expected and, of a word from a list, the nearest one.
#include "experiments/command/core/option_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

#include "experiments/input/text/real_text.hpp"
#include "model/base/nearest.hpp"
#include "model/base/split.hpp"

namespace schedproof::cli {

namespace {

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};

std::string read(const Option& option, const std::string& value, std::string& target) {
    if (!option.words.empty() && std::find(option.words.begin(), option.words.end(), value) == option.words.end()) {
        std::string list;
        for (const std::string& word : option.words) list += (list.empty() ? "" : ", ") + word;
        return fmt::format("expected one of {}, not '{}'{}", list, value, base::did_you_mean(value, option.words));
    }
    target = value;
    return {};
}

std::string read(const Option& option, const std::string& value, double& target) {
    const auto number = input::real_number(value);
    if (!number || !std::isfinite(*number) || (option.positive && *number <= 0))
        return fmt::format("expected a number{}, not {}", option.positive ? " above 0" : "", value);
    target = *number;
    return {};
}

std::string read_natural(const Option& option, const std::string& value, std::uint64_t most, std::uint64_t& target) {
    const Interval range = option.range.value_or(Interval{0, most});
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), target);
    const bool whole = error == std::errc() && end == value.data() + value.size();
    if (whole && target >= range.least && target <= range.most) return {};
    if (option.range)
        return fmt::format("expected a whole number from {} to {}, not {}", range.least, range.most, value);
    if (value.find_first_not_of("0123456789") == std::string::npos)
        return fmt::format("expected a number of at most {}, not {}", most, value);
    return fmt::format("expected a number of at least 0, not {}", value);
}

std::string read(const Option& option, const std::string& value, std::uint64_t& target) {
    std::uint64_t number = 0;
    std::string complaint = read_natural(option, value, UINT64_MAX, number);
    if (complaint.empty()) target = number;
    return complaint;
}

std::string read(const Option& option, const std::string& value, std::uint32_t& target) {
    std::uint64_t number = 0;
    std::string complaint = read_natural(option, value, UINT32_MAX, number);
    if (complaint.empty()) target = static_cast<std::uint32_t>(number);
    return complaint;
}

/// The words of all values, where one word may hold several.
std::vector<std::string> words_of(const std::vector<std::string>& values, char separator) {
    if (separator == 0) return values;
    std::vector<std::string> words;
    for (const std::string& value : values)
        for (const std::string_view word : base::split(value, separator)) words.emplace_back(word);
    return words;
}

std::string as_written(bool) { return {}; }
std::string as_written(const std::string& value) { return value; }
template <class Number>
std::string as_written(const Number& value) {
    return fmt::format("{}", value);
}

}  // namespace

bool Option::several() const {
    return std::visit([](auto* at) { return IsVector<std::decay_t<decltype(*at)>>::value; }, target);
}

std::string Option::name() const {
    const std::size_t comma = names.find("--");
    if (comma == std::string::npos) return names;
    return names.substr(comma, names.find(',', comma) - comma);
}

std::vector<std::string> Option::all_names() const {
    std::vector<std::string> all;
    for (const std::string_view name : base::split(names, ',')) all.emplace_back(name);
    return all;
}

std::string Option::form() const {
    if (!words.empty()) {
        std::string list;
        for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
        return "{" + list + "}";
    }
    if (range) return fmt::format("{} in [{}, {}]", value.empty() ? "N" : value, range->least, range->most);
    return value;
}

std::string Option::current() const {
    return std::visit(
        [](auto* at) -> std::string {
            using Value = std::decay_t<decltype(*at)>;
            if constexpr (IsVector<Value>::value)
                return {};
            else if constexpr (IsOptional<Value>::value)
                return *at ? as_written(**at) : std::string();
            else
                return as_written(*at);
        },
        target);
}

std::string Option::take(const std::vector<std::string>& values) const {
    if (std::find(values.begin(), values.end(), std::string()) != values.end()) return "expected a value, not ''";
    return std::visit(
        [&](auto* at) -> std::string {
            using Value = std::decay_t<decltype(*at)>;
            if constexpr (std::is_same_v<Value, bool>) {
                *at = true;
                return {};
            } else if constexpr (IsVector<Value>::value) {
                at->clear();
                for (const std::string& word : words_of(values, separator))
                    if (std::string wrong = read(*this, word, at->emplace_back()); !wrong.empty()) return wrong;
                return {};
            } else if constexpr (IsOptional<Value>::value) {
                return read(*this, values.back(), at->emplace());
            } else {
                return read(*this, values.back(), *at);
            }
        },
        target);
}

std::vector<std::string> typed_words(const OptionTable& table) {
    std::vector<std::string> words;
    for (const Option& option : table) {
        if (!option.given) continue;
        if (option.flag()) words.push_back(option.name());
        for (const std::string& value : option.typed) {
            if (!option.argument()) words.push_back(option.name());
            words.push_back(value);
        }
    }
    return words;
}

OptionTable joined(std::initializer_list<OptionTable> tables) {
    OptionTable all;
    for (const OptionTable& table : tables) all.insert(all.end(), table.begin(), table.end());
    return all;
}

}  // namespace schedproof::cli
