/// A queueing policy as a text: the rules of docs/policy-language.md without a compiler.
///
///     policy: least-work
///     summary: "join the server that would be done with the task soonest"
///     keep: per_server_and_level
///     route: argmin(servers, server_workload / rate)
///     serve: first_of(most_local(nonempty(own_levels)), own)
///
/// The rules are the expressions of C++, so that what a certificate or a theorem prints is read back; `3/2` may stand
/// for `Ratio(3, 2)`, and `let: NAME = EXPRESSION` gives a part a name for the lines after it; one that is a number is
/// a parameter, which may be given another value. `hopes: ID, ID` names
/// claims; `lyapunov: regret + 2 * total` a function of the state whose drift should be negative when queues are long.
/// `require: stable on FILE, every-cluster` and `expect: CLAIM VERDICT` state what the policy is held to.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/queueing/language/rules.hpp"

namespace schedproof::queueing::codec {

/// A parameter of a policy, or a value given to one.
struct PolicyParameter {
    std::string name;
    language::Ratio value;
};

/// A claim with the verdict that is expected of it: Proved, Exhausted, Survived, Refuted or Unknown.
struct ExpectedVerdict {
    std::string claim, verdict;
};

struct PolicyText {
    std::string id, source, summary;
    Rules rules;
    std::size_t line = 0;                          ///< where its file says which policy it is; 0 when that is not known
    std::size_t route_line = 0, serve_line = 0;    ///< where it states them
    std::vector<std::string> hopes = {};           ///< claims of which its author hopes that they hold: ids
    std::string lyapunov = {};                     ///< functions with multiples, or empty
    std::vector<PolicyParameter> parameters = {};  ///< in the order of its lines, with the values that hold
    /// Clusters on which it is held to be stable: instance files, as seen from its own, or `every-cluster`.
    std::vector<std::string> stable_on = {};
    std::vector<ExpectedVerdict> expects = {};
};

/// Throws InputError with line and column. `file` names the text in messages. Range: at most 64 KiB, at most 200
/// expressions within each other. `values` are given to its parameters, each of which must be one.
[[nodiscard]] PolicyText read_policy_text(std::string_view text, const std::string& file,
                                          const std::vector<PolicyParameter>& values = {});

/// The rules that `to_string(Rules)` has printed. Throws InputError.
[[nodiscard]] Rules read_rules(std::string_view text, const std::string& file);

/// The text that reads back as the policy. Requires: source and summary are of one line and hold no double quote.
[[nodiscard]] std::string written_as_text(const PolicyText& policy);

}  // namespace schedproof::queueing::codec
