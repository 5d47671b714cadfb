/// Specifications of sweeps: TOML whose keys are the option table of `simulate`.
///
/// Every point is the command line that a user would have typed, read by the same parser, so a sweep can ask for
/// nothing that `simulate` could not. Complaints about an option are put back at the line of the file that gives it.
#include "experiments/command/sweep/spec.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/families/family_files.hpp"
#include "model/base/cursor.hpp"
#include "model/base/nearest.hpp"
#include "model/base/sha256.hpp"
#include "model/base/text.hpp"

namespace schedproof::cli {

namespace {

using base::Cursor;
using base::Field;
using base::Node;

constexpr std::size_t most_points = 100'000;
constexpr const char* policy_file = "policy-file";

std::string word_of(const Cursor& at) {
    if (at.is_text()) {
        const std::string& text = at.text("text");
        if (text.empty()) at.fail("expected a value, not ''");
        return text;
    }
    if (const auto* integer = std::get_if<std::int64_t>(&at.node().value)) return std::to_string(*integer);
    if (const auto* flag = std::get_if<bool>(&at.node().value)) return *flag ? "true" : "false";
    const auto* literal = std::get_if<base::Literal>(&at.node().value);
    if (literal != nullptr && literal->kind == "float") return literal->text;
    at.fail("expected text, an integer or a decimal, not " + base::describe(at.node()));
}

}  // namespace

struct SweepSpec::Reader {
    std::vector<SimulateKey> options = simulate_keys();
    std::vector<std::string> parameters;  ///< of the policy files that the specification names

    explicit Reader(const Cursor& root) {
        for (const char* name : {"simulate", "grid"}) {
            const auto table = root.find(name);
            const auto files = table ? table->find(policy_file) : std::nullopt;
            if (!files) continue;
            const std::size_t count = files->is_array() ? files->array("a list").size() : 1;
            for (std::size_t i = 0; i < count; ++i) {
                const std::string file = word_of(files->is_array() ? files->item(i) : *files);
                for (const auto& parameter : add_policy_file(file, code_families()).parameters)
                    parameters.push_back(parameter.name);
            }
        }
    }

    [[nodiscard]] bool is_parameter(const std::string& key) const {
        return std::find(parameters.begin(), parameters.end(), key) != parameters.end();
    }

    /// An option of `simulate`; null for a parameter of a policy's file.
    [[nodiscard]] const SimulateKey* option(const Cursor& at, const std::string& key) const {
        std::vector<std::string_view> known;
        if (is_parameter(key)) return nullptr;
        for (const SimulateKey& option : options) {
            if (option.name == key && option.simulated) return &option;
            if (option.name == key)
                at.fail(fmt::format(
                    "expected an option that results depend on; give this one on the command line, as sweep --{}",
                    key));
            if (option.simulated) known.emplace_back(option.name);
        }
        for (const std::string& parameter : parameters) known.emplace_back(parameter);
        at.fail(fmt::format("expected an option of `simulate` without its dashes{}{}; see `schedproof simulate --help`",
                            parameters.empty() ? "" : ", or a parameter of a policy file",
                            base::did_you_mean(key, known)));
    }

    [[nodiscard]] Entry entry(const Cursor& table, const Field& field, bool grid) const {
        const Cursor at = table.entry(field);
        const SimulateKey* known = option(at, field.key);
        Entry entry{field.key, at.path(), field.value.line, known != nullptr && known->flag, known == nullptr, {}};
        if (at.is_array()) {
            for (std::size_t i = 0; i < at.array("a list").size(); ++i) entry.values.push_back(word_of(at.item(i)));
            if (entry.values.empty()) at.fail("expected a list with a value");
        } else if (grid) {
            at.fail("expected a list of values, not " + base::describe(field.value));
        } else {
            entry.values.push_back(word_of(at));
        }
        for (const std::string& value : entry.values)
            if (entry.flag && value != "true" && value != "false")
                at.fail(fmt::format("expected true or false, not '{}'", value));
        if (grid && std::set<std::string>(entry.values.begin(), entry.values.end()).size() != entry.values.size())
            at.fail("expected different values");
        return entry;
    }

    /// In the order of the file, which TOML tables do not keep.
    [[nodiscard]] std::vector<Entry> table(const Cursor& root, const char* name, bool grid) const {
        std::vector<Entry> entries;
        const auto at = root.find(name);
        if (!at) return entries;
        for (const Field& field : at->table("a table of options")) entries.push_back(entry(*at, field, grid));
        std::stable_sort(entries.begin(), entries.end(),
                         [](const Entry& a, const Entry& b) { return a.line < b.line; });
        return entries;
    }

    /// Puts the entries of a table in the place of those of the same name.
    void replace(const Cursor& table, std::vector<Entry>& fixed, std::vector<Entry>& grid) const {
        const auto named = [](std::vector<Entry>& entries, const std::string& name) {
            return std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == name; });
        };
        for (const Field& field : table.table("a table of options")) {
            const auto varied = named(grid, field.key);
            const bool list = table.entry(field).is_array();
            Entry own = entry(table, field, list && varied != grid.end());
            if (list && varied != grid.end()) {
                *varied = std::move(own);
                continue;
            }
            if (varied != grid.end()) grid.erase(varied);
            if (const auto old = named(fixed, field.key); old != fixed.end())
                *old = std::move(own);
            else
                fixed.push_back(std::move(own));
        }
    }
};

SweepSpec::SweepSpec(const std::string& path) {
    const std::string text = base::read_text(path, base::max_toml_bytes);
    file_ = {base::display_name(path), base::sha256(text)};
    const Node root = base::parse_document(text, base::detect_format(path, text), file_.path);
    const Cursor at(root, file_.path);
    at.allow_only({"simulate", "grid"});
    read(at, {});
}

SweepSpec::SweepSpec(const Cursor& root, input::InputFile file, const std::vector<Cursor>& over)
    : file_(std::move(file)) {
    read(root, over);
}

void SweepSpec::read(const Cursor& at, const std::vector<Cursor>& over) {
    const Reader reader(at);
    fixed_ = reader.table(at, "simulate", false);
    grid_ = reader.table(at, "grid", true);
    for (const Entry& varied : grid_)
        for (const Entry& fixed : fixed_)
            if (fixed.name == varied.name)
                throw InputError::at_line(file_.path, varied.line, varied.path,
                                          fmt::format("expected an option once, but line {} fixes it", fixed.line));
    for (const Cursor& table : over) reader.replace(table, fixed_, grid_);
    if (fixed_.empty() && grid_.empty()) at.fail("expected a table [simulate] or [grid]");
    std::size_t count = 1;
    for (const Entry& varied : grid_) {
        count *= varied.values.size();
        if (count > most_points)
            throw InputError::at_line(file_.path, varied.line, varied.path,
                                      fmt::format("expected at most {} points", most_points));
    }
    expand();
}

std::vector<std::string> SweepSpec::words_of(const std::vector<std::pair<const Entry*, std::string>>& given) {
    std::string parameters;
    for (const auto& [entry, value] : given)
        if (entry->parameter) parameters += fmt::format("{}{}={}", parameters.empty() ? "" : ",", entry->name, value);
    // A policy of a file may be named by what the file calls it, whichever values the point gives its parameters. Files
    // of other points are known too, with other values, so its whole name is put in the place.
    std::vector<std::string> ids;
    for (const auto& [entry, value] : given)
        if (entry->name == policy_file)
            ids.push_back(add_policy_file(with_values(value, parameters), code_families()).id);
    const auto whole_id = [&](const std::string& policy) {
        const auto of_file = std::find_if(ids.begin(), ids.end(),
                                          [&](const std::string& id) { return id.substr(0, id.find(':')) == policy; });
        return of_file == ids.end() || std::find(ids.begin(), ids.end(), policy) != ids.end() ? policy : *of_file;
    };
    std::vector<std::string> words;
    for (const auto& [entry, value] : given) {
        if (entry->parameter || (entry->flag && value != "true")) continue;
        if (entry->name == "instance")
            words.push_back(value);
        else if (entry->flag)
            words.push_back("--" + entry->name);
        else
            words.push_back(fmt::format("--{}={}", entry->name,
                                        entry->name == policy_file ? with_values(value, parameters)
                                        : entry->name == "policy"  ? whole_id(value)
                                                                   : value));
    }
    return words;
}

void SweepSpec::expand() {
    std::vector<std::size_t> at(grid_.size());
    for (bool more = true; more;) {
        SweepPoint point;
        std::vector<std::pair<const Entry*, std::string>> given;
        for (const Entry& entry : fixed_)
            for (const std::string& value : entry.values) given.emplace_back(&entry, value);
        for (std::size_t g = 0; g < grid_.size(); ++g) {
            given.emplace_back(&grid_[g], grid_[g].values[at[g]]);
            point.variables.emplace_back(grid_[g].name, grid_[g].values[at[g]]);
        }
        const std::vector<std::string> words = words_of(given);
        try {
            point.request = parse_simulate(words);
        } catch (const InputError& error) {
            throw located(error, &point);
        }
        points_.push_back(std::move(point));
        more = false;
        for (std::size_t g = grid_.size(); g-- > 0 && !more;) {
            more = ++at[g] < grid_[g].values.size();
            if (!more) at[g] = 0;
        }
    }
}

InputError SweepSpec::located(const InputError& error, const SweepPoint* point) const {
    if (!error.place().file.empty()) return error;
    const std::string& key = error.place().key;
    for (const auto* entries : {&grid_, &fixed_})
        for (const Entry& entry : *entries) {
            const std::string option = entry.name == "instance" ? "INSTANCE" : "--" + entry.name;
            const bool named = key == option || (key.empty() && error.expected().starts_with(option + ":"));
            if (named) return InputError::at_line(file_.path, entry.line, entry.path, error.expected());
        }
    std::string where = key;
    for (const auto& [name, value] : point == nullptr ? SweepPoint{}.variables : point->variables)
        where += fmt::format("{}{} {}", where.empty() ? "at " : ", ", name, value);
    return InputError::in_file(file_.path, where, error.expected());
}

}  // namespace schedproof::cli
