/// `schedproof list`: what is registered, read from the registries themselves.
///
/// Four kinds of things become one form (id, family, summary, source, values), so text and JSON are written once.
#include "experiments/command/list/list.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "checks/families.hpp"
#include "experiments/command/core/json.hpp"
#include "experiments/command/core/output.hpp"
#include "model/queueing/option_meanings.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"

namespace schedproof::cli {

namespace {

/// A value of an option. The first is the default.
struct ListedValue {
    std::string name, meaning;
};

/// Something registered, with its source where it has one and the values of an option.
struct Listed {
    std::string id, family, summary, source;
    std::vector<ListedValue> values = {};
};

std::vector<Listed> policy_entries() {
    std::vector<Listed> list;
    for (const checks::Family* family : checks::families())
        for (const checks::PolicyEntry& policy : family->policies())
            list.push_back({std::string(policy.id), std::string(family->id()), std::string(policy.summary),
                            std::string(policy.source)});
    return list;
}

std::vector<Listed> lyapunov_entries() {
    std::vector<Listed> list;
    for (const auto& lyapunov : queueing::lyapunov_functions())
        list.push_back({std::string(lyapunov.id), "queueing", std::string(lyapunov.formula), ""});
    return list;
}

std::vector<Listed> option_entries() {
    std::vector<Listed> list;
    queueing::Options options;
    queueing::for_each_option(options, [&](const auto& field) {
        using Enum = std::decay_t<decltype(field)>;
        using Names = queueing::OptionNames<Enum>;
        using Meanings = queueing::OptionMeanings<Enum>;
        static_assert(Names::values.size() == Meanings::values.size());
        Listed entry{std::string(Names::key), "queueing", std::string(Meanings::question), ""};
        for (std::size_t i = 0; i < Names::values.size(); ++i)
            entry.values.push_back({std::string(Names::values[i]), std::string(Meanings::values[i])});
        list.push_back(std::move(entry));
    });
    return list;
}

std::vector<Listed> claim_entries() {
    std::vector<Listed> list;
    for (const checks::Claim& claim : checks::all_claims())
        list.push_back({claim.id, std::string(claim.family().id()), claim.statement, claim.source});
    return list;
}

/// `width` is that of the ids.
std::string to_text(const Listed& entry, std::size_t width) {
    std::string text = fmt::format("{:<{}}  {}\n", entry.id, width, entry.summary);
    if (!entry.source.empty()) text += fmt::format("{:<{}}  [{}: {}]\n", "", width, entry.family, entry.source);
    for (const ListedValue& value : entry.values)
        text += fmt::format("{:<{}}    {:<14}  {}{}\n", "", width, value.name, value.meaning,
                            &value == &entry.values.front() ? " (default)" : "");
    return text;
}

struct ListAnswer {
    std::string kind;
    std::vector<Listed> entries;

    [[nodiscard]] std::string text() const {
        std::size_t width = 0;
        for (const Listed& entry : entries) width = std::max(width, entry.id.size());
        std::string text;
        for (const Listed& entry : entries) text += to_text(entry, width);
        return text;
    }
};

/// The entries of these kinds, with what they have besides.
FieldOf<ListAnswer> entries(std::vector<std::string> kinds, std::vector<FieldOf<Listed>> more) {
    std::vector<FieldOf<Listed>> fields{
        field("id", &Listed::id, "The name to give on the command line, or the key in an instance's options."),
        field("family", &Listed::family, "Family of systems it belongs to."),
        field("summary", &Listed::summary,
              "A policy's rule, a function's formula, the question that an option answers, or a claim's statement.")};
    fields.insert(fields.end(), more.begin(), more.end());
    return field("entries", &ListAnswer::entries, "In order of registration.", Record<Listed>(std::move(fields)))
        .only_when("kind", std::move(kinds))
        .hidden();
}

const Answer<ListAnswer>& list_answer() {
    const Record<ListedValue> value{field("value", &ListedValue::name, "As instance files have it."),
                                    field("meaning", &ListedValue::meaning, "What it answers, in words.")};
    static const Answer<ListAnswer> answer{
        "list",
        "What is registered: policies, Lyapunov functions, the interpretations of a slot, or claims. Answer of "
        "`schedproof list WHAT --format json`.",
        Record<ListAnswer>{
            field("kind", &ListAnswer::kind, "What was asked for.")
                .words({"policies", "lyapunov", "options", "claims"})
                .hidden(),
            entries({"policies", "claims"},
                    {field("source", &Listed::source,
                           "Where it comes from: a key of docs/bibliography.md and the place there.")}),
            entries({"lyapunov"}, {}),
            entries({"options"}, {field("values", &Listed::values, "Its values, the default first.", value).items(2)}),
            lines("text", &ListAnswer::text)}};
    return answer;
}

}  // namespace

Forms list_forms() { return forms(list_answer); }

int run(const ListRequest& request) {
    std::vector<Listed> list = request.what == "lyapunov"  ? lyapunov_entries()
                               : request.what == "claims"  ? claim_entries()
                               : request.what == "options" ? option_entries()
                                                           : policy_entries();
    if (!request.family.empty())
        std::erase_if(list, [&](const Listed& entry) { return entry.family != request.family; });
    return write_answer(request.to, list_answer(), {request.what, std::move(list)});
}

}  // namespace schedproof::cli
