#include "proofs/queueing/theorems/about.hpp"

#include "model/base/document.hpp"
#include "model/base/text.hpp"

namespace schedproof::queueing {

std::string in_quotes(std::string_view name) { return base::shown(name, base::max_name_bytes + 1); }

std::string interpretations_text(const Options& options) {
    std::string others;
    for_each_option(options, [&]<class O>(const O& value) {
        if (value == O{}) return;
        others += others.empty() ? "" : ", ";
        others += std::string(OptionNames<O>::key) + " " +
                  std::string(OptionNames<O>::values[static_cast<std::size_t>(value)]);
    });
    return others + (others.empty() ? "" : " and otherwise ") + "the default interpretations of the slot";
}

std::string about(const Instance& instance, std::string_view policy) {
    return in_quotes(instance.name()) + " under " + std::string(policy) + " with " +
           interpretations_text(instance.options());
}

}  // namespace schedproof::queueing
