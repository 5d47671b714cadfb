/// `schedproof list`: what is registered, read from the registries themselves.
///
/// Four kinds of things become one form (id, family, summary, source, values), so text and JSON are written once.
#include "experiments/command/list/list.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "checks/families.hpp"
#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/families/family_files.hpp"

namespace schedproof::cli {

namespace {

/// Something registered, with its family, its source where it has one and the values of an option.
struct ListedOf {
    std::string id, family, summary, source;
    std::vector<std::pair<std::string, std::string>> values = {};
};

std::vector<ListedOf> policy_entries() {
    std::vector<ListedOf> list;
    for (const checks::Family* family : checks::families())
        for (const checks::PolicyEntry& policy : family->policies())
            list.push_back({std::string(policy.id), std::string(family->id()), std::string(policy.summary),
                            std::string(policy.source)});
    return list;
}

/// What a family has besides.
std::vector<ListedOf> other_entries(const std::string& what) {
    std::vector<ListedOf> list;
    for (const auto& files : family_files())
        for (Listed& entry : files->listed(what))
            list.push_back({std::move(entry.id), std::string(files->family()), std::move(entry.summary), "",
                            std::move(entry.values)});
    return list;
}

std::vector<ListedOf> claim_entries() {
    std::vector<ListedOf> list;
    for (const checks::Claim& claim : checks::all_claims())
        list.push_back({claim.id, std::string(claim.family().id()), claim.statement, claim.source});
    return list;
}

/// `width` is that of the ids.
std::string to_text(const ListedOf& entry, std::size_t width) {
    std::string text = fmt::format("{:<{}}  {}\n", entry.id, width, entry.summary);
    if (!entry.source.empty()) text += fmt::format("{:<{}}  [{}: {}]\n", "", width, entry.family, entry.source);
    for (const auto& value : entry.values)
        text += fmt::format("{:<{}}    {:<14}  {}{}\n", "", width, value.first, value.second,
                            &value == &entry.values.front() ? " (default)" : "");
    return text;
}

struct ListAnswer {
    std::string kind;
    std::vector<ListedOf> entries;

    [[nodiscard]] std::string text() const {
        std::size_t width = 0;
        for (const ListedOf& entry : entries) width = std::max(width, entry.id.size());
        std::string text;
        for (const ListedOf& entry : entries) text += to_text(entry, width);
        return text;
    }
};

/// The entries of these kinds, with what they have besides.
FieldOf<ListAnswer> entries(std::vector<std::string> kinds, std::vector<FieldOf<ListedOf>> more) {
    std::vector<FieldOf<ListedOf>> fields{
        field("id", &ListedOf::id, "The name to give on the command line, or the key in an instance's options."),
        field("family", &ListedOf::family, "Family of systems it belongs to."),
        field("summary", &ListedOf::summary,
              "A policy's rule, a function's formula, the question that an option answers, or a claim's statement.")};
    fields.insert(fields.end(), more.begin(), more.end());
    return field("entries", &ListAnswer::entries, "In order of registration.", Record<ListedOf>(fields))
        .only_when("kind", std::move(kinds))
        .hidden();
}

const Answer<ListAnswer>& list_answer() {
    using Value = std::pair<std::string, std::string>;
    const Record<Value> value{field("value", &Value::first, "As instance files have it."),
                              field("meaning", &Value::second, "What it answers, in words.")};
    static const Answer<ListAnswer> answer{
        "list",
        "What is registered: policies, Lyapunov functions, the interpretations of a slot, or claims. Answer of "
        "`schedproof list WHAT --format json`.",
        Record<ListAnswer>{
            field("kind", &ListAnswer::kind, "What was asked for.")
                .words({"policies", "lyapunov", "options", "claims"})
                .hidden(),
            entries({"policies", "claims"},
                    {field("source", &ListedOf::source,
                           "Where it comes from: a key of docs/bibliography.md and the place there.")}),
            entries({"lyapunov"}, {}),
            entries({"options"},
                    {field("values", &ListedOf::values, "Its values, the default first.", value).items(2)}),
            lines("text", &ListAnswer::text)}};
    return answer;
}

}  // namespace

Forms list_forms() { return forms(list_answer); }

int run(const ListRequest& request) {
    std::vector<ListedOf> list = request.what == "claims"     ? claim_entries()
                                 : request.what == "policies" ? policy_entries()
                                                              : other_entries(request.what);
    if (!request.family.empty())
        std::erase_if(list, [&](const ListedOf& entry) { return entry.family != request.family; });
    return write_answer(request.to, list_answer(), {request.what, std::move(list)});
}

}  // namespace schedproof::cli
