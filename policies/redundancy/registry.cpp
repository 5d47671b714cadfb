#include "policies/redundancy/registry.hpp"

#include <fmt/core.h>

#include <array>
#include <functional>

#include "model/base/text.hpp"
#include "policies/core/policy_registry.hpp"

namespace schedproof::redundancy {

namespace {

struct Entry {
    PolicyInfo info;
    std::function<AnyPolicy(const Beta&)> make;
    bool added = false;
};

template <class P>
AnyPolicy plain(const Beta&) {
    return P{};
}

constexpr const char* open_text =
    "[xu2017], Section 5.3, unspecified; docs/models/redundancy.md, Interpretations R6, R7";

auto& registry() {
    static Registry rows(std::array{
        Entry{Srpt::info, plain<Srpt>},
        Entry{SrptR::info, plain<SrptR>},
        Entry{Fair::info, plain<Fair>},
        Entry{FairR::info, plain<FairR>},
        Entry{Laps::info, [](const Beta& b) -> AnyPolicy { return Laps{b}; }},
        Entry{{"laps:all", open_text, "LAPS, with every latest job served when they are more than the machines"},
              [](const Beta& b) -> AnyPolicy {
                  return Laps{b, Crowded::all};
              }},
        Entry{LapsR::info, [](const Beta& b) -> AnyPolicy { return LapsR{b}; }},
        Entry{{"laps+r:oldest", open_text, "LAPS+R, with leftover copies for the oldest of the served"},
              [](const Beta& b) -> AnyPolicy {
                  return LapsR{b, Crowded::rounds, Leftover::first};
              }},
        Entry{{"laps+r:all", open_text, "LAPS+R, with every latest job served when they are more than the machines"},
              [](const Beta& b) -> AnyPolicy {
                  return LapsR{b, Crowded::all};
              }},
        Entry{{"laps+r:all-oldest", open_text, "LAPS+R:all, with leftover copies for the oldest of the served"},
              [](const Beta& b) -> AnyPolicy {
                  return LapsR{b, Crowded::all, Leftover::first};
              }},
        Entry{Late::info, plain<Late>},
        Entry{RedundancyD::info, plain<RedundancyD>},
        Entry{{"redundancy-d:3", RedundancyD::info.source, "Redundancy-d with 3 copies of each job"},
              [](const Beta&) -> AnyPolicy { return RedundancyD{3}; }},
    });
    return rows;
}

}  // namespace

void add_policy(const AnyPolicy& added) {
    const PolicyInfo& info = added.info;
    if (!base::is_plain_name(info.id))
        throw InputError::at_key("policy", fmt::format("expected {}, not {}", base::name_form, base::shown(info.id)));
    registry().add({info, [added](const Beta&) { return added; }, true});
}

bool is_added(std::string_view id) {
    const Entry* entry = registry().find(id);
    return entry != nullptr && entry->added;
}

std::span<const PolicyInfo> policies() { return registry().infos(); }

std::string_view resolve_policy(std::string_view name) { return registry().resolve(name); }

bool has_beta(std::string_view id) { return !is_added(id) && id.starts_with(Laps::info.id); }

AnyPolicy make_policy(std::string_view name, const Rational& beta) {
    return registry()[name].make(has_beta(name) ? Beta(beta) : Beta());
}

template History<Rational> history(const AnyPolicy&, const Problem<Rational>&, const Rational&);

}  // namespace schedproof::redundancy
