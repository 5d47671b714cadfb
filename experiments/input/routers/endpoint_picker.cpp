/// The endpoint picker of llm-d and of the Gateway API inference extension: scorers with weights.
///
/// A profile adds the weighted scores of its scorers and picks an endpoint of the highest. Those of which the policy
/// language can say the comparison are one score of what is cached and one of load: they are rules of experiments/zoo,
/// with the weights as parameters.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>

#include "experiments/input/routers/entries.hpp"
#include "experiments/input/routers/router_config.hpp"
#include "experiments/input/text/yaml_document.hpp"
#include "model/base/cursor.hpp"
#include "model/base/nearest.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

namespace {

using base::Cursor;

/// What a plugin does to the choice of an endpoint.
enum class Role { cached, queue, active, clipped, picks, random, filters, passes, unknown };

struct Known {
    std::string_view type;
    Role role;
};
constexpr std::array<Known, 22> plugins{{{"prefix-cache-scorer", Role::cached},
                                         {"prefix-cache", Role::cached},
                                         {"precise-prefix-cache-scorer", Role::cached},
                                         {"approx-prefix-cache-scorer", Role::cached},
                                         {"session-affinity-scorer", Role::cached},
                                         {"queue-scorer", Role::queue},
                                         {"queue-depth-scorer", Role::queue},
                                         {"queue", Role::queue},
                                         {"running-requests-size-scorer", Role::queue},
                                         {"active-request-scorer", Role::active},
                                         {"load-aware-scorer", Role::clipped},
                                         {"max-score-picker", Role::picks},
                                         {"max-score", Role::picks},
                                         {"random-picker", Role::random},
                                         {"random", Role::random},
                                         {"single-profile-handler", Role::passes},
                                         {"single-profile", Role::passes},
                                         {"decode-filter", Role::filters},
                                         {"by-label", Role::filters},
                                         {"by-label-selector", Role::filters},
                                         {"approx-prefix-cache-producer", Role::passes},
                                         {"token-producer", Role::passes}}};

Role role_of(std::string_view type) {
    const auto found = std::find_if(plugins.begin(), plugins.end(), [&](const Known& one) { return one.type == type; });
    return found == plugins.end() ? Role::unknown : found->role;
}

/// A plugin of a profile, with its weight.
struct Used {
    Cursor at;
    std::string type;
    Role role;
    Rational weight;
    std::optional<Cursor> parameters;
};

class PickerProfile {
  public:
    PickerProfile(const Cursor& root, const Cursor& profile) : root_(root), profile_(profile) {
        config_.kind = "endpoint picker";
        config_.name = needed(profile, "name", "the profile's name").text("a name");
    }

    RouterConfig run() {
        std::vector<Used> scorers;
        bool picks_randomly = false;
        for (const Cursor& at : needed(profile_, "plugins", "a list of plugins").items("a list of plugins")) {
            Used one = used(at);
            switch (one.role) {
                case Role::cached:
                case Role::queue:
                case Role::active:
                case Role::clipped:
                    scorers.push_back(std::move(one));
                    break;
                case Role::random:
                    picks_randomly = true;
                    break;
                case Role::filters:
                    note(one.at, one.type, "endpoints that it leaves out are workers here");
                    break;
                case Role::unknown:
                    if (one.type.ends_with("picker"))
                        one.at.fail(fmt::format("expected max-score-picker or random-picker, not {}", one.type));
                    note(one.at, one.type, "the policy language has no such score; it is left out");
                    leaves_out_ = true;
                    break;
                case Role::picks:
                case Role::passes:
                    break;
            }
        }
        note_the_rest();
        if (picks_randomly) scorers.clear();
        if (scorers.empty() && leaves_out_ && !picks_randomly)
            profile_.fail("expected a score that the policy language can say: nothing is left of the rule");
        rule(scorers);
        return std::move(config_);
    }

  private:
    void note(const Cursor& at, std::string key, std::string says) {
        config_.notes.push_back({at.node().line, std::move(key), std::move(says)});
    }

    /// What else may decide where a request goes.
    void note_the_rest() {
        for (const Cursor& plugin : needed(root_, "plugins", "a list of plugins").items("a list of plugins")) {
            const Cursor type = needed(plugin, "type", "what it is");
            const std::string& word = type.text("a type");
            if (word.ends_with("handler") && word != "single-profile-handler")
                note(type, word, "a request may go through several profiles; the rule is that of one");
        }
        for (const base::Field& field : root_.table("a configuration"))
            if (field.key != "apiVersion" && field.key != "kind" && field.key != "plugins" &&
                field.key != "schedulingProfiles")
                note(root_.entry(field), field.key, "it may keep a request from an endpoint, which the rule does not");
    }

    /// Names every parameter of a score of load that is not the one that was read.
    void note_unread(const Used& load, std::string_view read) {
        if (!load.parameters) return;
        for (const base::Field& field : load.parameters->table("parameters"))
            if (field.key != read) note(load.parameters->entry(field), field.key, "the rule has no such parameter");
    }

    /// The plugin that the profile refers to, by its name, which is its type unless it has one.
    [[nodiscard]] Used used(const Cursor& at) const {
        at.expect_table("a pluginRef, perhaps with a weight");
        const Cursor reference = needed(at, "pluginRef", "the name of a plugin");
        const std::string& name = reference.text("the name of a plugin");
        std::vector<std::string> names;
        for (const Cursor& plugin : needed(root_, "plugins", "a list of plugins").items("a list of plugins")) {
            const Cursor type = needed(plugin, "type", "what it is");
            const auto own = entry_of(plugin, "name");
            names.push_back((own ? *own : type).text("a name"));
            if (names.back() != name) continue;
            Used one{reference, type.text("a type"), role_of(type.text("a type")), 1, entry_of(plugin, "parameters")};
            if (const auto weight = entry_of(at, "weight")) {
                one.weight = weight->number();
                if (one.weight.sign() < 0) weight->fail("expected a weight of at least 0");
            }
            return one;
        }
        reference.fail(fmt::format("expected a plugin of the list, not '{}'{}", name, base::did_you_mean(name, names)));
    }

    void rule(const std::vector<Used>& scorers) {
        Rational cached;
        const Used* load = nullptr;
        for (const Used& one : scorers) {
            if (one.weight.sign() == 0) continue;
            if (one.role == Role::cached) {
                cached += one.weight;
                continue;
            }
            if (load != nullptr)
                one.at.fail(
                    fmt::format("expected one score of load, not both {} and {}: the policy language has no sum "
                                "of two",
                                load->type, one.type));
            load = &one;
        }
        config_.rule.homes = cached.sign() > 0;
        if (load == nullptr) {
            config_.rule.zoo = cached.sign() > 0 ? "home" : "random";
            return;
        }
        weigh(*load, cached);
    }

    /// A score of load against the weight of what is cached.
    void weigh(const Used& load, const Rational& cached) {
        note(load.at, load.type, "load is what the engine reports, some time ago; here it is all in the worker, now");
        const bool is_clipped = load.role == Role::clipped;
        note_unread(load, is_clipped ? "threshold" : "");
        std::uint64_t threshold = 128;
        if (is_clipped && load.parameters)
            if (const auto at = entry_of(*load.parameters, "threshold"))
                threshold = at->count(1, 1'000'000, "requests");
        if (cached.sign() == 0 && !is_clipped) {
            config_.rule.zoo = "shortest";
        } else if (cached.sign() == 0) {
            config_.rule.route = fmt::format(
                "first_of(argmin(where(servers, server_length < tasks({})), server_length), servers)", threshold);
            config_.rule.summary = "join the endpoint with the fewest requests, or any where all have too many";
        } else {
            config_.rule.zoo = is_clipped ? "scores-clipped" : load.role == Role::active ? "scores-active" : "scores";
            config_.rule.values = fmt::format("queue={},prefix={}", load.weight.to_string(), cached.to_string());
            if (is_clipped) config_.rule.values += fmt::format(",K={}", threshold);
        }
    }

    Cursor root_, profile_;
    RouterConfig config_;
    bool leaves_out_ = false;  // a score
};

}  // namespace

RouterConfig read_endpoint_picker(std::string_view text, const std::string& file, const std::string& name) {
    const std::vector<base::Node> documents = parse_yaml(text, file);
    if (documents.size() != 1) throw InputError::in_file(file, "expected one document");
    const Cursor root(documents.front(), file);
    root.expect_table("a configuration");
    const std::vector<Cursor> profiles =
        needed(root, "schedulingProfiles", "a list of profiles").items("a list of profiles");
    std::vector<std::string> names;
    for (const Cursor& profile : profiles) {
        profile.expect_table("a profile");
        names.push_back(needed(profile, "name", "the profile's name").text("a name"));
    }
    if (profiles.empty()) throw InputError::in_file(file, "schedulingProfiles", "expected a profile");
    return PickerProfile(root, profiles[place_of_name(names, name)]).run();
}

}  // namespace schedproof::input
