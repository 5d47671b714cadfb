#include "proofs/queueing/theorems/about.hpp"

#include "model/base/document.hpp"
#include "model/base/text.hpp"

namespace schedproof::queueing {

std::string in_quotes(std::string_view name) { return base::shown(name, base::max_name_bytes + 1); }

std::string interpretations_text(const Instance& instance) {
    std::string others;
    const auto add = [&]<class O>(const O& value) {
        if (value == O{}) return;
        others += others.empty() ? "" : ", ";
        others += std::string(OptionNames<O>::key) + " " +
                  std::string(OptionNames<O>::values[static_cast<std::size_t>(value)]);
    };
    instance.continuous() ? for_each_event_option(instance.options(), add) : for_each_option(instance.options(), add);
    return others + (others.empty() ? "" : " and otherwise ") + "the default interpretations of " +
           (instance.continuous() ? "an event" : "the slot");
}

std::string step_of(const Instance& instance) { return instance.continuous() ? "event" : "slot"; }

std::string per_time(const Instance& instance) {
    if (!instance.continuous()) return "a slot";
    return "per " + (instance.data().time->unit.empty() ? "unit of time" : instance.data().time->unit);
}

std::string units_of_time(const Instance& instance) {
    if (!instance.continuous()) return "slots";
    return instance.data().time->unit.empty() ? "units of time" : instance.data().time->unit;
}

std::string in_an_event(const Instance& instance) {
    if (!instance.continuous()) return "";
    return " in an event (" + instance.event_rate().to_string() + " " + per_time(instance) + " on average)";
}

std::string about(const Instance& instance, std::string_view policy) {
    return in_quotes(instance.name()) + (instance.continuous() ? " in continuous time" : "") + " under " +
           std::string(policy) + " with " + interpretations_text(instance);
}

}  // namespace schedproof::queueing
