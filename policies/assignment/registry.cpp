/// The list of policies of the assignment family, and those that a run adds to it.
///
/// A policy with another interpretation of its paper, or with a known slip, is an entry of its own
/// (`dyndlon:one-remote`), so that claims can be stated about it by id. Each entry makes its policy from the options
/// that are common to all; an added one is the value itself. Added policies stay in a deque, whose elements never move:
/// entries point at them.
#include "policies/assignment/registry.hpp"

#include <fmt/core.h>

#include <array>
#include <deque>
#include <string>

#include "model/base/text.hpp"
#include "policies/assignment/registered_policies.hpp"
#include "policies/core/policy_registry.hpp"

namespace schedproof::assignment {

namespace {

/// Another interpretation of a policy's paper, under an id of its own.
constexpr PolicyInfo variant(PolicyInfo of, std::string_view id, std::string_view summary) {
    return {id, of.source, summary};
}

struct Entry {
    PolicyInfo info;
    AnyPolicy (*make)(const PolicyOptions&) = nullptr;
    const AnyPolicy* added = nullptr;  ///< in place of `make`
};

DynDlOn dyndlon(const PolicyOptions& o, WaitFrom from, bool one_remote) {
    return {o.wait, from, one_remote, o.pick, o.jobs};
}

Hta hta(const PolicyOptions& o, Price price) {
    const Hta usual;
    return {price, o.budget.value_or(usual.budget), o.timeout.value_or(usual.timeout)};
}

/// DynDLOff with one member set.
template <auto member, auto value>
AnyPolicy dyndloff_with(const PolicyOptions&) {
    DynDlOff policy;
    policy.*member = value;
    return policy;
}

auto& registry() {
    static Registry rows(std::array{
        Entry{Hadoop::info,
              [](const PolicyOptions& o) -> AnyPolicy {
                  return Hadoop{o.pick, o.jobs};
              }},
        Entry{DelayScheduling::info,
              [](const PolicyOptions& o) -> AnyPolicy {
                  return DelayScheduling{o.wait, o.pick, o.jobs};
              }},
        Entry{DynDlOn::info, [](const PolicyOptions& o) -> AnyPolicy { return dyndlon(o, WaitFrom::idle, false); }},
        Entry{variant(DynDlOn::info, "dyndlon:wait-since-assignment",
                      "as printed (Interpretation A3): the time that a core ran its last task counts as waiting"),
              [](const PolicyOptions& o) -> AnyPolicy { return dyndlon(o, WaitFrom::last_start, false); }},
        Entry{variant(DynDlOn::info, "dyndlon:one-remote",
                      "as in the paper's emulation: never two running remote tasks on a server"),
              [](const PolicyOptions& o) -> AnyPolicy { return dyndlon(o, WaitFrom::idle, true); }},
        Entry{List::info, [](const PolicyOptions&) -> AnyPolicy { return List{}; }},
        Entry{variant(List::info, "list:server-max",
                      "predicted finish is the new largest load of the server, not the load of the core"),
              [](const PolicyOptions&) -> AnyPolicy { return List{Predict::server_max}; }},
        Entry{Ltfpa::info, [](const PolicyOptions& o) -> AnyPolicy { return Ltfpa{o.threshold}; }},
        Entry{LtfpaLoadAware::info, [](const PolicyOptions& o) -> AnyPolicy { return LtfpaLoadAware{o.threshold}; }},
        Entry{Hta::info, [](const PolicyOptions& o) -> AnyPolicy { return hta(o, Price::capped); }},
        Entry{variant(Hta::info, "hta:unbounded", "prices that go on growing where the cost function is capped"),
              [](const PolicyOptions& o) -> AnyPolicy { return hta(o, Price::unbounded); }},
        Entry{Bar::info, [](const PolicyOptions&) -> AnyPolicy { return Bar{}; }},
        Entry{variant(Bar::info, "bar:unbounded", "prices that go on growing where the cost function is capped"),
              [](const PolicyOptions&) -> AnyPolicy { return Bar{Price::unbounded}; }},
        Entry{DynDlOff::info, [](const PolicyOptions&) -> AnyPolicy { return DynDlOff{}; }},
        Entry{variant(DynDlOff::info, "dyndloff:loop",
                      "the same assignments' loads, by one cost-reducing path at a time"),
              dyndloff_with<&DynDlOff::search, DynDlOff::Search::loop>},
        Entry{variant(DynDlOff::info, "dyndloff:paper-search",
                      "the paper's search: a failed one settles only the server it started from"),
              dyndloff_with<&DynDlOff::search, DynDlOff::Search::paper>},
        Entry{variant(DynDlOff::info, "dyndloff:max-over-all-cores",
                      "as printed (Interpretation A5): a server's MAX is over all its cores, idle ones included"),
              dyndloff_with<&DynDlOff::max_over_all_cores, true>},
        Entry{variant(DynDlOff::info, "dyndloff:strict-capacity",
                      "as printed (Interpretation A11): r remote tasks need room for more than r"),
              dyndloff_with<&DynDlOff::strict_capacity, true>},
        Entry{variant(DynDlOff::info, "dyndloff:all-core-bounds",
                      "as printed (Interpretation A12): Theorem 1's bounds are over all cores of a server"),
              dyndloff_with<&DynDlOff::all_core_bounds, true>},
        Entry{variant(DynDlOff::info, "dyndloff:index-levels",
                      "as printed (Interpretation A13): every task's deadline is tested, also among equal ones"),
              dyndloff_with<&DynDlOff::index_levels, true>},
        Entry{variant(DynDlOff::info, "dyndloff:max-min",
                      "as printed (Interpretation A14): a remote task goes to the core that it would load least"),
              dyndloff_with<&DynDlOff::max_min_placement, true>},
    });
    return rows;
}

/// A policy that a run has added, with its texts.
struct Added {
    std::string id, source, summary;
    AnyPolicy policy;
};
std::deque<Added>& added() {
    static std::deque<Added> all;
    return all;
}

}  // namespace

void add_policy(const AnyPolicy& policy) {
    const PolicyInfo& info = policy.info;
    if (!base::is_plain_name(info.id))
        throw InputError::at_key("policy", fmt::format("expected {}, not {}", base::name_form, base::shown(info.id)));
    added().push_back({std::string(info.id), std::string(info.source), std::string(info.summary), policy});
    Added& kept = added().back();
    kept.policy.info = {kept.id, kept.source, kept.summary};
    registry().add({.info = kept.policy.info, .added = &kept.policy});
}

bool is_added(std::string_view id) {
    const Entry* entry = registry().find(id);
    return entry != nullptr && entry->added != nullptr;
}

std::span<const PolicyInfo> policies() { return registry().infos(); }

std::string_view resolve_policy(std::string_view name) { return registry().resolve(name); }

AnyPolicy make_policy(std::string_view name, const PolicyOptions& options) {
    if (options.wait < Rational(0)) throw InputError::at_key("wait", "expected a wait of at least 0");
    if (options.threshold && *options.threshold < Rational(0))
        throw InputError::at_key("threshold", "expected a threshold of at least 0");
    const Entry& entry = registry()[name];
    return entry.added != nullptr ? *entry.added : entry.make(options);
}

}  // namespace schedproof::assignment
