#include "policies/sharing/registry.hpp"

#include <array>
#include <string>

#include "model/core/errors.hpp"
#include "policies/core/policy_registry.hpp"

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

const Registry registry(std::array{
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
});

}  // namespace

std::span<const PolicyInfo> policies() { return registry.infos(); }

// The name `jsq-maxweight` is a queueing policy's, not short for the variant here.
std::string_view resolve_policy(std::string_view name) {
    const Entry* entry = registry.find(name);
    return entry != nullptr ? entry->info.id : std::string_view();
}

AnyPolicy make_policy(std::string_view name, const Parameters& parameters) { return registry[name].make(parameters); }

}  // namespace schedproof::sharing
