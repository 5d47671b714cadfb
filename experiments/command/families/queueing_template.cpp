/// What a new file of a queueing policy says: JSQ-MaxWeight, with the words that its author may use instead and the
/// commands that decide what is hoped for. It is kept short, since it is read before it is changed; @WORDS@ stands for
/// the vocabulary.
#include "experiments/command/families/queueing_template.hpp"

#include <fmt/core.h>

#include "experiments/command/core/policy_file.hpp"
#include "model/base/notation.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/policy_text.hpp"
#include "model/queueing/language/words.hpp"

namespace schedproof::cli {

namespace {

constexpr std::string_view queueing_text = R"text(# @ID@: what an arriving task and an idle server do, and why.
#
# INSTANCE is your instance file. What is hoped for, and the commands that decide it:
#   all of it at once               schedproof validate @FILE@
#   stable on every cluster         schedproof prove throughput-optimal --for-all --policy-file @FILE@
#   stable on one instance          schedproof prove drift INSTANCE --policy-file @FILE@ --find-lyapunov
#   or by a function of your own    schedproof prove drift INSTANCE --policy-file @FILE@
#   else: it may never empty again  schedproof prove transience INSTANCE --policy-file @FILE@
#   the exact law of a slot         schedproof kernel INSTANCE --policy-file @FILE@
#   how it does beside another      schedproof simulate INSTANCE --policy-file @FILE@ -p @ID@ -p jsq-maxweight
#
# The vocabulary; docs/policy-language.md explains it.
@WORDS@# `let: NAME = EXPRESSION` gives a part a name for the lines after it. If it is a number, as in `let: abs = 64`, it is a
# parameter, to which @FILE@:abs=32 in place of @FILE@, or -p @ID@:abs=32, gives another value. `hopes: ID, ID` names claims of
# `schedproof list claims` that `validate` checks on all their instances. `lyapunov: FUNCTION`, or
# a sum such as `regret + 2 * total`, names a function of the state whose drift should be negative when queues are long:
# one of `schedproof list lyapunov` or of your instance file. `validate` tries it besides its own.

policy: @ID@
source: ""
summary: "join the shortest local queue; serve the queue of largest rate times length"
keep: per_server
let: shortest = argmin(local, length)
let: heaviest = argmax(nonempty(reachable), rate * length)
route: shortest
serve: first_of(heaviest, own)
lyapunov: regret
)text";

constexpr std::string_view queueing_header = R"text(/// @ID@: what an arriving task and an idle server do, and why.
///
/// INSTANCE is your instance file. What is hoped for, and the commands that decide it:
///   all of it at once               schedproof validate @FILE@
///   stable on every cluster         schedproof prove throughput-optimal --for-all --policy-file @FILE@
///   stable on one instance          schedproof prove drift INSTANCE --policy-file @FILE@ --find-lyapunov
///   or by a function of your own    schedproof prove drift INSTANCE --policy-file @FILE@
///   else: it may never empty again  schedproof prove transience INSTANCE --policy-file @FILE@
///   the exact law of a slot         schedproof kernel INSTANCE --policy-file @FILE@
///   how it does beside another      schedproof simulate INSTANCE --policy-file @FILE@ -p @ID@ -p jsq-maxweight
///
/// The vocabulary; docs/policy-language.md explains it. Arrangements are written Arrangement::per_server.
@WORDS@#pragma once

#include <array>

#include "model/queueing/policy.hpp"

namespace schedproof::queueing::language {

struct @TYPE@ {
    /// Its name in commands, where it comes from, what it does in one sentence.
    static constexpr PolicyInfo info{"@ID@", "",
                                     "join the shortest local queue; serve the queue of largest rate times length"};
    /// Claims of `schedproof list claims` that `validate` checks on all their instances.
    static constexpr std::array<const char*, 0> hopes{};
    /// Optional: a function of the state whose drift should be negative when queues are long, one of `schedproof list
    /// lyapunov` or of your instance file, or a sum such as "regret + 2 * total". `validate` tries it besides its own.
    static constexpr const char* lyapunov = "regret";

    // Parts and parameters are constants; `rules` is all that the engines read.
    static constexpr auto shortest = argmin(local, length);
    static constexpr auto heaviest = argmax(nonempty(reachable), rate * length);

    /// The queues that are kept, which one an arriving task joins, which one an idle server turns to.
    static constexpr Rules rules{keep(Arrangement::per_server), route(shortest), serve(first_of(heaviest, own))};
};

}  // namespace schedproof::queueing::language
)text";

std::string with_words(std::string_view form, const std::string& comment) {
    constexpr std::string_view mark = "@WORDS@";
    return std::string(form).replace(form.find(mark), mark.size(), queueing::language::vocabulary_comment(comment));
}

/// Requires: source and summary are UTF-8.
std::string policy_as_header(const queueing::codec::PolicyText& policy, std::string_view type) {
    return fmt::format(
        "#pragma once\n\n"
        "#include <array>\n\n"
        "#include \"model/queueing/policy.hpp\"\n\n"
        "namespace schedproof::queueing::language {{\n\n"
        "struct {} {{\n"
        "    static constexpr PolicyInfo info{{{}, {},\n                                     {}}};\n"
        "    static constexpr Rules rules{{keep(Arrangement::{}),\n"
        "                                 route({}),\n"
        "                                 serve({})}};\n"
        "{}{}"
        "}};\n\n"
        "}}  // namespace schedproof::queueing::language\n",
        type, base::in_quotes(policy.id), base::in_quotes(policy.source), base::in_quotes(policy.summary),
        to_string(policy.rules.arrangement()), queueing::to_string(policy.rules.route()),
        queueing::to_string(policy.rules.serve()),
        policy.hopes.empty() ? ""
                             : fmt::format("    static constexpr std::array<const char*, {}> hopes{{{}}};\n",
                                           policy.hopes.size(), base::joined(policy.hopes, ", ", base::in_quotes)),
        policy.lyapunov.empty()
            ? ""
            : fmt::format("    static constexpr const char* lyapunov = {};\n", base::in_quotes(policy.lyapunov)));
}

}  // namespace

std::string queueing_header_template() { return with_words(queueing_header, "///"); }

std::string queueing_text_template() { return with_words(queueing_text, "#"); }

std::string queueing_policy_from(const std::string& file, std::string_view id, std::string_view type, bool text) {
    queueing::codec::PolicyText policy = read_policy_file(file);
    policy.id = id;
    if (!text && policy.rules.tabulated())
        throw InputError::in_file(file,
                                  "expected a policy without a decision table, which C++ cannot state; use --text");
    for (const std::string& line : {policy.source, policy.summary})
        if (base::first_invalid_utf8(line) != std::string::npos)
            throw InputError::in_file(file, "expected a source and a summary in UTF-8");
    return text ? written_as_text(policy) : policy_as_header(policy, type);
}

}  // namespace schedproof::cli
