/// The list of policies of the sharing family, and those that a run adds to it.
///
/// Parameters are checked where a policy is made, since what they may be is the policy's. Added policies stay in a
/// deque, whose elements never move: entries point at them.
#include "policies/sharing/registry.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <deque>
#include <string>

#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "policies/core/policy_registry.hpp"
#include "policies/sharing/registered_policies.hpp"

namespace schedproof::sharing {

namespace {

/// A policy that a run has added, with its texts.
struct Added {
    std::string id, source, summary;
    AddedPolicy policy;
};

struct Entry {
    PolicyInfo info;
    AnyPolicy (*make)(const Parameters&);  ///< null where it was added
    const Added* added = nullptr;
};

template <SharingPolicy P>
AnyPolicy plain(const Parameters&) {
    return any_policy(P{});
}

std::int64_t in_range(std::int64_t value, std::string_view name) {
    if (value < 0 || value > most_parameter)
        throw InputError::at_key(std::string(name), fmt::format("expected 0 to 2^61, not {}", value));
    return value;
}

DelayRack delay_rack(const Parameters& p, AfterRackLocal after) {
    const auto d2 = p.d2 ? std::optional(in_range(*p.d2, "D2")) : std::nullopt;
    return {in_range(p.d1, "D1"), d2, after};
}

AnyPolicy make_added(const PolicyCode& code, const Parameters& parameters) {
    for_each_parameter(parameters, [](std::string_view name, const auto& value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::int64_t>) in_range(value, name);
        if constexpr (std::is_same_v<T, std::optional<std::int64_t>>) in_range(value.value_or(0), name);
    });
    return any_policy(code.with(parameters));
}

auto& registry() {
    static Registry rows(std::array{
        Entry{HadoopFifo::info, plain<HadoopFifo>},
        Entry{NaiveFair::info, plain<NaiveFair>},
        Entry{FairKill::info, plain<FairKill>},
        Entry{Delay::info, [](const Parameters& p) -> AnyPolicy { return any_policy(Delay{in_range(p.d, "D")}); }},
        Entry{DelayRack::info,
              [](const Parameters& p) -> AnyPolicy { return any_policy(delay_rack(p, AfterRackLocal::second_wait)); }},
        Entry{
            {"delay-rack:keep", "[zaharia2010], Rack Locality, unspecified; docs/models/sharing.md, Interpretation S6",
             "delay-rack, where a rack-local launch leaves the skip count"},
            [](const Parameters& p) -> AnyPolicy { return any_policy(delay_rack(p, AfterRackLocal::keep)); }},
        Entry{JsqMaxWeightSubqueues::info, plain<JsqMaxWeightSubqueues>},
        Entry{DynDlOn::info,
              [](const Parameters& p) -> AnyPolicy {
                  return any_policy(DynDlOn{in_range(p.w, "W"), p.order});
              }},
        Entry{DelayTime::info,
              [](const Parameters& p) -> AnyPolicy {
                  return any_policy(DelayTime{in_range(p.w, "W"), p.order});
              }},
        Entry{{"delay-time:one-remote", "[jin2018], Section 6.2.1",
               "the same, and never two running remote tasks on a node: DynDLOn as the paper emulates it"},
              [](const Parameters& p) -> AnyPolicy {
                  return any_policy(DelayTime{in_range(p.w, "W"), p.order, true});
              }},
        Entry{Sparrow::info, plain<Sparrow>},
        Entry{Quincy::info, [](const Parameters& p) -> AnyPolicy { return any_policy(Quincy{in_range(p.w, "W")}); }},
    });
    return rows;
}

std::deque<Added>& added_policies() {
    static std::deque<Added> all;
    return all;
}

}  // namespace

void add_policy(const AddedPolicy& policy) {
    const PolicyInfo info = policy.code().info();
    if (!base::is_plain_name(info.id))
        throw InputError::at_key("policy", fmt::format("expected {}, not {}", base::name_form, base::shown(info.id)));
    added_policies().push_back({std::string(info.id), std::string(info.source), std::string(info.summary), policy});
    const Added& kept = added_policies().back();
    registry().add({{kept.id, kept.source, kept.summary}, nullptr, &kept});
}

bool is_added(std::string_view id) {
    const Entry* entry = registry().find(id);
    return entry != nullptr && entry->added != nullptr;
}

std::span<const PolicyInfo> policies() { return registry().infos(); }

// The name `jsq-maxweight` is a queueing policy's, not short for the variant here.
std::string_view resolve_policy(std::string_view name) {
    const Entry* entry = registry().find(name);
    return entry != nullptr ? entry->info.id : std::string_view();
}

Parameters usual_parameters(std::string_view name) {
    const Entry& entry = registry()[name];
    return entry.added != nullptr ? entry.added->policy.code().parameters() : Parameters();
}

AnyPolicy make_policy(std::string_view name, const Parameters& parameters) {
    const Entry& entry = registry()[name];
    return entry.added != nullptr ? make_added(entry.added->policy.code(), parameters) : entry.make(parameters);
}

}  // namespace schedproof::sharing
