#include "policies/sharing/registry.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "model/core/errors.hpp"

namespace schedproof::sharing {

namespace {

struct Entry {
    PolicyInfo info;
    AnyPolicy (*make)(const Parameters&);
};

template <SharingPolicy P>
AnyPolicy plain(const Parameters&) {
    return P{};
}

std::int64_t at_least_0(std::int64_t value, const char* name) {
    if (value < 0) throw InputError::at_key(name, "expected at least 0, not " + std::to_string(value));
    return value;
}

DelayRack delay_rack(const Parameters& p, AfterRackLocal after) {
    const auto d2 = p.d2 ? std::optional(at_least_0(*p.d2, "D2")) : std::nullopt;
    return {at_least_0(p.d1, "D1"), d2, after};
}

const std::array entries{
    Entry{HadoopFifo::info, plain<HadoopFifo>},
    Entry{NaiveFair::info, plain<NaiveFair>},
    Entry{FairKill::info, plain<FairKill>},
    Entry{Delay::info, [](const Parameters& p) -> AnyPolicy { return Delay{at_least_0(p.d, "D")}; }},
    Entry{DelayRack::info, [](const Parameters& p) -> AnyPolicy { return delay_rack(p, AfterRackLocal::second_wait); }},
    Entry{{"delay-rack:keep", "[zaharia2010], Rack Locality, unspecified; docs/models/sharing.md, Interpretation S6",
           "delay-rack, where a rack-local launch leaves the skip count"},
          [](const Parameters& p) -> AnyPolicy { return delay_rack(p, AfterRackLocal::keep); }},
    Entry{JsqMaxWeightSubqueues::info, plain<JsqMaxWeightSubqueues>},
    Entry{DynDlOn::info,
          [](const Parameters& p) -> AnyPolicy {
              return DynDlOn{at_least_0(p.w, "W"), p.order};
          }},
};

const auto infos = [] {
    std::array<PolicyInfo, entries.size()> all;
    std::transform(entries.begin(), entries.end(), all.begin(), [](const Entry& e) { return e.info; });
    return all;
}();

}  // namespace

std::span<const PolicyInfo> policies() { return infos; }

std::string_view resolve_policy(std::string_view name) {
    for (const PolicyInfo& info : policies())
        if (info.id == name) return info.id;
    return {};
}

AnyPolicy make_policy(std::string_view name, const Parameters& parameters) {
    for (const Entry& entry : entries)
        if (entry.info.id == name) return entry.make(parameters);
    throw InputError::at_key("policy", "expected a policy of the sharing family, not '" + std::string(name) + "'");
}

}  // namespace schedproof::sharing
