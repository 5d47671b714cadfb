/// Reading PRISM's explicit files: see prism.hpp for the format.
///
/// These files come back from other programs, so nothing in them is trusted. A chain is accepted only when it has as
/// many transitions as announced, each pair of states at most once, probabilities in (0, 1] and rows that sum to one
/// exactly; states, labels and rewards must name states of that chain. Every complaint carries file, line and what was
/// expected, and quotes the text with unprintable bytes replaced.
///
/// Transitions may stand in any order, as PRISM allows; they are sorted once and then checked row by row. Numbers are
/// exact: integers, fractions and decimals become rationals, and an exponent cannot make one that exhausts memory.
/// Announced sizes reserve no memory, since a short file may announce anything. Cost: n log n in the number of lines.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "checks/prism/prism.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::graph {

using markov::StateIndex;
using markov::Transition;

namespace {

/// The lines of a file that say something, and errors that name the one last read.
class Lines {
  public:
    Lines(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

    /// The next line that is neither blank nor a comment; none at the end.
    std::optional<std::string_view> next() {
        while (!rest_.empty()) {
            const std::size_t end = std::min(rest_.find('\n'), rest_.size());
            const std::string_view line = base::trimmed(rest_.substr(0, end));
            rest_.remove_prefix(std::min(end + 1, rest_.size()));
            ++number_;
            if (!line.empty() && line.front() == '#')
                comments_.push_back(line);
            else if (!line.empty())
                return line;
        }
        return std::nullopt;
    }
    std::string_view header(const char* expected) {
        const auto line = next();
        if (!line) fail(fmt::format("expected {}, but the file says nothing", expected));
        return *line;
    }

    [[nodiscard]] std::size_t number() const { return number_; }
    [[nodiscard]] const std::vector<std::string_view>& comments() const { return comments_; }
    [[noreturn]] void fail(const std::string& expected) const { fail(number_, expected); }
    [[noreturn]] void fail(std::size_t line, const std::string& expected) const {
        throw InputError::at_line(file_, line, expected);
    }

    /// A number below `bound`.
    [[nodiscard]] std::size_t index(std::string_view text, std::size_t bound, const char* what) const {
        std::size_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size() || value >= bound)
            fail(bound == std::numeric_limits<std::size_t>::max()
                     ? fmt::format("expected {}, not '{}'", what, shown(text))
                 : bound == 0 ? fmt::format("expected no {}: there are none, but found '{}'", what, shown(text))
                              : fmt::format("expected {} from 0 to {}, not '{}'", what, bound - 1, shown(text)));
        return value;
    }
    [[nodiscard]] std::size_t count(std::string_view text, const char* what) const {
        return index(text, std::numeric_limits<std::size_t>::max(), what);
    }
    [[nodiscard]] Rational rational(std::string_view text, const char* what) const {
        auto value = Rational::parse(text, Rational::max_result_digits);
        if (!value) fail(fmt::format("expected {}, not '{}': {}", what, shown(text), value.error()));
        return std::move(*value);
    }
    static std::string shown(std::string_view text) {
        std::string safe(text.substr(0, 40));
        for (char& c : safe)
            if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F) c = '?';
        return safe + (text.size() > 40 ? "..." : "");
    }

  private:
    std::string_view rest_;
    const std::string& file_;
    std::size_t number_ = 0;
    std::vector<std::string_view> comments_;
};

/// `n m` on the first line: number of states and of the lines to come.
std::pair<std::size_t, std::size_t> sizes(Lines& lines, const char* second) {
    const std::string expected = fmt::format("a first line with the numbers of states and of {}", second);
    const auto fields = base::split_words(lines.header(expected.c_str()));
    if (fields.size() != 2) lines.fail(fmt::format("expected {}, not {} fields", expected, fields.size()));
    const std::size_t states = lines.count(fields[0], "the number of states");
    if (states == 0) lines.fail("expected at least one state");
    if (states > std::numeric_limits<StateIndex>::max()) lines.fail("expected fewer than 2^32 states");
    return {states, lines.count(fields[1], "the number of entries")};
}

struct Entry {
    std::size_t source;
    std::size_t target;
    Rational probability;
    std::size_t line;
};

std::vector<Entry> read_entries(Lines& lines, std::size_t states, std::size_t announced, bool rates) {
    const char* const what = rates ? "rate" : "probability";
    std::vector<Entry> entries;
    while (const auto line = lines.next()) {
        const auto fields = base::split_words(*line);
        if (fields.size() != 3)
            lines.fail(fmt::format("expected source, target and {}, not {} field(s)", what, fields.size()));
        const std::size_t source = lines.index(fields[0], states, "a source state");
        const std::size_t target = lines.index(fields[1], states, "a target state");
        Rational p = lines.rational(fields[2], rates ? "a rate" : "a probability");
        if (p.sign() <= 0 || (!rates && p > Rational(1)))
            lines.fail(fmt::format("expected a {} above 0{}, not '{}'", what, rates ? "" : " and at most 1",
                                   Lines::shown(fields[2])));
        entries.push_back({source, target, std::move(p), lines.number()});
        if (entries.size() > announced)
            lines.fail(fmt::format("expected no more than the {} transitions of the first line", announced));
    }
    if (entries.size() < announced)
        lines.fail(fmt::format("expected {} transitions, as the first line says, but the file ends after {}", announced,
                               entries.size()));
    return entries;
}

/// The number in front of the colon of a line, and what follows it.
std::pair<std::size_t, std::string_view> state_and_rest(const Lines& lines, std::string_view line, std::size_t states) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) lines.fail("expected a state, a colon and what holds there");
    return {lines.index(base::trimmed(line.substr(0, colon)), states, "a state"),
            base::trimmed(line.substr(colon + 1))};
}

/// The parts of `(a,b,c)`.
std::vector<std::string_view> tuple(const Lines& lines, std::string_view text) {
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') lines.fail("expected a list in round brackets");
    text = text.substr(1, text.size() - 2);
    std::vector<std::string_view> parts;
    if (base::trimmed(text).empty()) return parts;
    for (const std::string_view part : base::split(text, ',')) parts.push_back(base::trimmed(part));
    return parts;
}

std::vector<PrismLabel> read_label_names(Lines& lines) {
    std::string_view rest = lines.header("label names such as 0=\"init\"");
    std::vector<PrismLabel> labels;
    for (; !rest.empty(); rest = base::trimmed(rest)) {
        const std::size_t equals = rest.find("=\"");
        const std::size_t end = equals == std::string_view::npos ? equals : rest.find('"', equals + 2);
        if (end == std::string_view::npos) lines.fail("expected label names such as 0=\"init\"");
        if (lines.count(base::trimmed(rest.substr(0, equals)), "the number of a label") != labels.size())
            lines.fail(fmt::format("expected label number {}: labels are numbered from 0 in order", labels.size()));
        std::string name(rest.substr(equals + 2, end - equals - 2));
        if (name.empty()) lines.fail("expected a label name that is not empty");
        if (std::any_of(labels.begin(), labels.end(), [&](const PrismLabel& label) { return label.name == name; }))
            lines.fail(fmt::format("expected distinct label names, but '{}' stands twice", Lines::shown(name)));
        labels.push_back({std::move(name), {}});
        rest.remove_prefix(end + 1);
    }
    return labels;
}

}  // namespace

namespace {

/// A row of a file of transitions.
struct Row {
    std::vector<Transition> moves;
    Rational sum;
    std::size_t last_line = 0;
};

/// One row for each state; nothing is kept for states that have none, however many are announced.
std::vector<Row> read_rows(Lines& lines, bool rates) {
    const auto [states, announced] = sizes(lines, "transitions");
    std::vector<Entry> entries = read_entries(lines, states, announced, rates);
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return std::tie(a.source, a.target) < std::tie(b.source, b.target);
    });
    std::vector<Row> rows;
    auto entry = entries.begin();
    for (std::size_t s = 0; s < states; ++s) {
        Row row;
        for (; entry != entries.end() && entry->source == s; ++entry) {
            if (!row.moves.empty() && row.moves.back().target == entry->target)
                lines.fail(entry->line,
                           fmt::format("expected the transition from {} to {} only once", s, entry->target));
            row.sum += entry->probability;
            row.last_line = std::max(row.last_line, entry->line);
            row.moves.push_back({static_cast<StateIndex>(entry->target), std::move(entry->probability)});
        }
        if (row.moves.empty()) lines.fail(fmt::format("expected a transition from state {}, which has none", s));
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace

markov::TransitionMatrix parse_tra(std::string_view text, const std::string& file) {
    Lines lines(text, file);
    markov::TransitionMatrix matrix;
    for (Row& row : read_rows(lines, false)) {
        if (row.sum != Rational(1))
            lines.fail(row.last_line, fmt::format("expected probabilities from state {} that sum to 1, not {}",
                                                  matrix.states(), display(row.sum)));
        matrix.append_row(std::move(row.moves));
    }
    return matrix;
}

PrismRates parse_rates(std::string_view text, const std::string& file) {
    Lines lines(text, file);
    std::vector<Row> rows = read_rows(lines, true);
    PrismRates chain{
        {}, std::max_element(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.sum < b.sum; })->sum};
    for (Row& row : rows) {
        const std::size_t s = chain.matrix.states();
        if (const Rational rest = chain.event_rate - row.sum; rest.sign() > 0) {
            const auto at = std::lower_bound(row.moves.begin(), row.moves.end(), s,
                                             [](const Transition& move, std::size_t t) { return move.target < t; });
            if (at != row.moves.end() && at->target == s)
                at->probability += rest;
            else
                row.moves.insert(at, {static_cast<StateIndex>(s), rest});
        }
        for (Transition& move : row.moves) move.probability /= chain.event_rate;
        chain.matrix.append_row(std::move(row.moves));
    }
    return chain;
}

PrismStates parse_sta(std::string_view text, std::size_t states, const std::string& file) {
    Lines lines(text, file);
    PrismStates model;
    for (const std::string_view name : tuple(lines, lines.header("variable names in round brackets"))) {
        if (name.empty()) lines.fail("expected a variable name that is not empty");
        model.variables.emplace_back(name);
    }
    if (std::set<std::string>(model.variables.begin(), model.variables.end()).size() != model.variables.size())
        lines.fail("expected distinct variable names");
    std::vector<bool> seen(states, false);
    model.values.resize(states);
    while (const auto line = lines.next()) {
        const auto [s, rest] = state_and_rest(lines, *line, states);
        if (seen[s]) lines.fail(fmt::format("expected state {} only once", s));
        seen[s] = true;
        const auto parts = tuple(lines, rest);
        if (parts.size() != model.variables.size())
            lines.fail(
                fmt::format("expected {} values, one per variable, not {}", model.variables.size(), parts.size()));
        for (const std::string_view part : parts) {
            std::int32_t value = 0;
            const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
            if (error != std::errc() || end != part.data() + part.size())
                lines.fail(fmt::format("expected a 32-bit integer, not '{}'", Lines::shown(part)));
            model.values[s].push_back(value);
        }
    }
    const auto missing = std::find(seen.begin(), seen.end(), false);
    if (missing != seen.end())
        lines.fail(fmt::format("expected every state, but state {} is missing", missing - seen.begin()));
    return model;
}

std::vector<PrismLabel> parse_lab(std::string_view text, std::size_t states, const std::string& file) {
    Lines lines(text, file);
    std::vector<PrismLabel> labels = read_label_names(lines);
    std::vector<bool> seen(states, false);
    while (const auto line = lines.next()) {
        const auto [s, rest] = state_and_rest(lines, *line, states);
        if (seen[s]) lines.fail(fmt::format("expected state {} only once", s));
        seen[s] = true;
        for (const std::string_view word : base::split_words(rest)) {
            std::vector<StateIndex>& holds = labels.at(lines.index(word, labels.size(), "a label")).states;
            if (!holds.empty() && holds.back() == s)
                lines.fail(fmt::format("expected each label of state {} only once", s));
            holds.push_back(static_cast<StateIndex>(s));
        }
    }
    for (PrismLabel& label : labels) std::sort(label.states.begin(), label.states.end());
    return labels;
}

PrismReward parse_srew(std::string_view text, std::size_t states, const std::string& file) {
    Lines lines(text, file);
    const auto [announced_states, entries] = sizes(lines, "rewards that are not zero");
    if (announced_states != states)
        lines.fail(fmt::format("expected rewards for {} states, not for {}", states, announced_states));
    PrismReward reward{"", std::vector<Rational>(states)};
    for (const std::string_view comment : lines.comments()) {
        const std::size_t open = comment.find('"'), close = comment.rfind('"');
        if (comment.starts_with("# Reward structure") && open < close)
            reward.name = comment.substr(open + 1, close - open - 1);
    }
    std::vector<bool> seen(states, false);
    std::size_t count = 0;
    while (const auto line = lines.next()) {
        const auto fields = base::split_words(*line);
        if (fields.size() != 2)
            lines.fail(fmt::format("expected a state and its reward, not {} field(s)", fields.size()));
        const std::size_t s = lines.index(fields[0], states, "a state");
        if (seen[s]) lines.fail(fmt::format("expected state {} only once", s));
        seen[s] = true;
        reward.value[s] = lines.rational(fields[1], "a reward");
        ++count;
    }
    if (count != entries)
        lines.fail(fmt::format("expected {} rewards, as the first line says, not {}", entries, count));
    return reward;
}

PrismModel read_prism(const PrismFiles& files) {
    PrismModel model;
    const std::string transitions = base::read_file(files.transitions);
    if (files.rates) {
        PrismRates chain = parse_rates(transitions, files.transitions);
        model.matrix = std::move(chain.matrix);
        model.event_rate = std::move(chain.event_rate);
    } else {
        model.matrix = parse_tra(transitions, files.transitions);
    }
    const std::size_t states = model.matrix.states();
    if (!files.states.empty()) {
        PrismStates named = parse_sta(base::read_file(files.states), states, files.states);
        model.variables = std::move(named.variables);
        model.values = std::move(named.values);
    }
    if (!files.labels.empty()) model.labels = parse_lab(base::read_file(files.labels), states, files.labels);
    for (const std::string& name : files.rewards)
        model.rewards.push_back(parse_srew(base::read_file(name), states, name));
    return model;
}

}  // namespace schedproof::graph
