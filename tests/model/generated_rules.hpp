/// Random policies: rules drawn from the whole policy language, sensible and perverse.
///
/// A generated policy is a tree of the language's primitives, evaluated like any other. A failing one shrinks on the
/// tree, a set giving way to one of its parts, and prints as the C++ that makes it.
#pragma once

#include <rapidcheck.h>

#include <iosfwd>
#include <string>

#include "model/queueing/language/rules.hpp"

namespace schedproof::queueing {
void showValue(const Rules& rules, std::ostream& out);
}  // namespace schedproof::queueing

namespace schedproof::oracle {

/// Rules with these queues. A route always names a queue. Draws and numbered sets occur; plans do not.
[[nodiscard]] rc::Gen<queueing::Rules> any_rules(queueing::Arrangement arrangement);
/// With queues of any arrangement.
[[nodiscard]] rc::Gen<queueing::Rules> any_rules();

/// Rules in which the primitive is asked at every state, by an arriving task or by an idle server.
/// Requires: neither a plan's answer nor a table.
[[nodiscard]] rc::Gen<queueing::Rules> rules_with(const queueing::language::Operation& row);

/// Rules that keep a queue per type and look decisions up in a random table, of the instance's numbers of servers and
/// types, for at most three waiting tasks.
[[nodiscard]] rc::Gen<queueing::Rules> tabulated_rules(const queueing::Instance& instance);

/// A registered policy whose layout, options and states suit the rules.
[[nodiscard]] std::string policy_of_layout(const queueing::Rules& rules);

}  // namespace schedproof::oracle
