/// From the nodes of a JMT model to a rule and an instance.
///
/// A class goes from its source through nodes that leave it no choice to the one that decides. There it is sent by a
/// strategy to one of the stations, which are the `servers` that can serve it. Where strategies differ, types have the
/// numbers of classes, of which the rule asks.
///
/// Fixed probabilities p are a mixture: with the servers in the order of falling p, which is the type's order of
/// preference, server d is among the first d, d + 1, ... of them, so that `preferred(d, servers)` has the weight
/// d (p[d] - p[d + 1]).
#include "experiments/input/jmt/jmt_model.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>

#include "experiments/input/jmt/jmt_network.hpp"
#include "experiments/input/text/xml_document.hpp"
#include "model/base/document.hpp"
#include "model/base/nearest.hpp"
#include "model/base/numeral.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/policy_text.hpp"

namespace schedproof::input {

namespace {

enum class Sending { drawn, shortest, sampled };

struct Share {
    std::size_t node;
    Rational probability;  ///< where it is drawn
};

/// How a class is sent, and where.
struct Choice {
    Sending by = Sending::drawn;
    std::uint64_t draws = 0;  ///< of `sampled`
    std::vector<Share> shares;
    bool stated = false;  ///< the probabilities, by the file
    JmtCursor at;         ///< the strategy
};

struct Strategy {
    std::string_view name, why;  ///< why it cannot be said; empty where it can
};
constexpr std::string_view measured = "it goes by what was measured so far, and the policy language by what is now";
constexpr std::string_view turns = "the policy language does not remember whose turn it is; Random has the same shares";
constexpr std::array<Strategy, 14> strategies{
    {{"RandomStrategy", ""},
     {"EmpiricalStrategy", ""},
     {"ShortestQueueLengthRoutingStrategy", ""},
     {"PowerOfKRoutingStrategy", ""},
     {"RoundRobinStrategy", turns},
     {"WeightedRoundRobinStrategy",
      "the policy language does not remember whose turn it is; Probabilities have shares"},
     {"ShortestResponseTimeRoutingStrategy", measured},
     {"LeastUtilizationRoutingStrategy", measured},
     {"FastestServiceRoutingStrategy", measured},
     {"DelayedShortestQLength", "it sees lengths late, and the policy language those of now"},
     {"LoadDependentRoutingStrategy", "it goes by the tasks at the dispatcher, where none stays"},
     {"ClassSwitchRoutingStrategy", "a task keeps its class"},
     {"DisabledRoutingStrategy", "the class can go nowhere"},
     {"DisabledStrategy", "the class can go nowhere"}}};

std::string strategy_of(const JmtCursor& at) {
    std::string name = at.class_name();
    const auto known =
        std::find_if(strategies.begin(), strategies.end(), [&](const auto& s) { return s.name == name; });
    if (known == strategies.end()) {
        std::vector<std::string_view> names;
        for (const Strategy& one : strategies)
            if (one.why.empty()) names.push_back(one.name);
        at.fail(fmt::format("expected a routing strategy that the policy language can say, not {}{}", base::shown(name),
                            base::did_you_mean(name, names)));
    }
    if (!known->why.empty()) at.fail(fmt::format("expected another routing strategy than {}: {}", name, known->why));
    return name;
}

class ModelReader {
  public:
    ModelReader(JmtNetwork network, const std::string& file) : network_(std::move(network)), file_(file) {
        model_.kind = "JMT model";
        model_.name = network_.name;
        model_.notes = std::move(network_.notes);
    }

    JmtModel run() {
        for (std::size_t c = 0; c < network_.classes.size(); ++c) {
            const JmtClass& one = network_.classes[c];
            if (!network_.nodes[one.source].rates[c]) {
                note(one.line, one.name, "it never arrives, so it is left out");
                continue;
            }
            present_.push_back(c);
            choices_.push_back(served(choice_of(c), c));
        }
        if (present_.empty()) throw InputError::in_file(file_, "expected a class that arrives");
        say_rule();
        fill_instance();
        note_order();
        return std::move(model_);
    }

  private:
    void note(std::size_t line, std::string key, std::string says) {
        model_.notes.push_back({line, std::move(key), std::move(says)});
    }
    void note(const JmtCursor& at, std::string says) { note(at.line(), at.path(), std::move(says)); }

    /// `x and 2 other stations`.
    [[nodiscard]] static std::string and_others(const std::string& name, std::size_t others) {
        const std::string first = base::in_sentence(name);
        return others == 0 ? first : fmt::format("{} and {} other station{}", first, others, others == 1 ? "" : "s");
    }
    [[nodiscard]] const std::string& name_of(std::size_t node) const { return network_.nodes[node].name; }

    /// The choice of the class where it has one, or else the only station that it can go to.
    [[nodiscard]] Choice choice_of(std::size_t c) {
        std::size_t place = network_.classes[c].source;
        for (std::size_t steps = 0; steps <= network_.nodes.size(); ++steps) {
            Choice choice = choice_at(network_.nodes[place], c);
            for (const Share& share : choice.shares) {
                const JmtNode& target = network_.nodes[share.node];
                if (target.role == JmtRole::station) continue;
                if (target.role != JmtRole::router || choice.shares.size() > 1)
                    choice.at.fail(fmt::format("expected stations behind the node that decides, not {}",
                                               base::in_sentence(target.name)));
            }
            place = choice.shares.front().node;
            if (network_.nodes[place].role == JmtRole::station) return choice;
        }
        network_.nodes[place].at.fail("expected a way to a station, not one in a circle");
    }

    [[nodiscard]] Choice choice_at(const JmtNode& node, std::size_t c) {
        if (node.strategies.empty()) node.at.fail("expected a RoutingStrategy");
        const JmtCursor& at = node.strategies[c];
        const std::string name = strategy_of(at);
        Choice choice{.shares = {}, .at = at};
        if (name == "EmpiricalStrategy") {
            choice.stated = true;
            choice.shares = stated_shares(at, node);
            return choice;
        }
        const Rational even = Rational(1) / Rational(static_cast<std::int64_t>(node.outputs.size()));
        for (const std::size_t output : node.outputs) choice.shares.push_back({output, even});
        if (name == "RandomStrategy") return choice;
        choice.by = name == "PowerOfKRoutingStrategy" ? Sending::sampled : Sending::shortest;
        if (choice.by == Sending::sampled) choice.draws = draws_of(at);
        return choice;
    }

    [[nodiscard]] static std::uint64_t draws_of(const JmtCursor& at) {
        const JmtCursor k = at.part("k");
        const auto draws = base::parse_numeral<std::uint64_t>(k.value());
        if (!draws || *draws == 0) k.fail(fmt::format("expected a number above 0, not {}", base::shown(k.value())));
        for (const JmtCursor& part : at.parts())
            if (part.attribute("name") == "withMemory" && part.value() != "false")
                part.fail("expected false: the policy language does not remember lengths");
        return *draws;
    }

    /// The probabilities above 0, in the order of the connections.
    [[nodiscard]] std::vector<Share> stated_shares(const JmtCursor& at, const JmtNode& node) {
        JmtNames outputs;
        for (std::size_t i = 0; i < node.outputs.size(); ++i) outputs[name_of(node.outputs[i])] = i;
        std::vector<Rational> stated(node.outputs.size());
        std::vector<bool> is_stated(node.outputs.size());
        Rational sum;
        for (const JmtCursor& entry : at.part("EmpiricalEntryArray").parts()) {
            const JmtCursor name = entry.part("stationName"), probability = entry.part("probability");
            const auto known = outputs.find(name.value());
            if (known == outputs.end())
                name.fail(fmt::format("expected a node that is connected to {}, not {}{}", base::in_sentence(node.name),
                                      base::shown(name.value()), nearest_of(name.value(), outputs)));
            if (is_stated[known->second]) name.fail("expected the node once");
            is_stated[known->second] = true;
            stated[known->second] = probability.number();
            if (stated[known->second].sign() < 0) probability.fail("expected a probability of at least 0");
            sum += stated[known->second];
        }
        const Rational off = sum < Rational(1) ? Rational(1) - sum : sum - Rational(1);
        if (off * Rational(1'000'000) > Rational(1)) at.fail("expected probabilities of sum 1, not " + sum.to_string());
        if (off.sign() != 0) note(at, fmt::format("the probabilities are divided by their sum, {}", sum.to_string()));
        std::vector<Share> shares;
        for (std::size_t i = 0; i < stated.size(); ++i)
            if (stated[i].sign() > 0) shares.push_back({node.outputs[i], stated[i] / sum});
        return shares;
    }

    /// The choice among those stations that serve the class.
    [[nodiscard]] Choice served(Choice choice, std::size_t c) {
        const std::string name = base::in_sentence(network_.classes[c].name);
        std::vector<Share> kept, others;
        for (const Share& share : choice.shares) (network_.nodes[share.node].rates[c] ? kept : others).push_back(share);
        if (!others.empty()) {
            const std::string where = and_others(name_of(others.front().node), others.size() - 1);
            if (choice.stated) choice.at.fail(fmt::format("expected stations that serve {}, not {}", name, where));
            note(choice.at, fmt::format("no {} is sent to {}, where it is not served; JMT sends some there, and serves "
                                        "them in no time",
                                        name, where));
        }
        if (kept.empty()) choice.at.fail(fmt::format("expected a station that serves {}", name));
        for (Share& share : kept)
            if (!choice.stated) share.probability = Rational(1) / Rational(static_cast<std::int64_t>(kept.size()));
        choice.shares = std::move(kept);
        return choice;
    }

    static bool is_even(const Choice& choice) {
        return std::all_of(choice.shares.begin(), choice.shares.end(),
                           [&](const Share& s) { return s.probability == choice.shares.front().probability; });
    }
    /// Any rule sends a class to the only station that it has.
    static bool decides(const Choice& choice) { return choice.shares.size() > 1; }
    /// A route, and what it does.
    using Said = std::pair<std::string, std::string>;

    [[nodiscard]] static Said said_of(const Choice& choice) {
        const bool all = choice.by == Sending::shortest || choice.draws >= choice.shares.size();
        if (choice.by == Sending::drawn && !is_even(choice))
            return {mixture(choice), "a server at random, by probabilities"};
        if (choice.by == Sending::drawn || (!all && choice.draws == 1)) return {"servers", "any server, at random"};
        if (all) return {"argmin(servers, server_length)", "join the shortest queue"};
        return {fmt::format("argmin(sample({}, servers), server_length)", choice.draws),
                fmt::format("join the shortest of {} queues drawn at random", choice.draws)};
    }

    void say_rule() {
        std::vector<Said> different;  // by number of class
        for (const Choice& choice : choices_) {
            class_of_.push_back(0);
            if (!decides(choice)) continue;
            Said said = said_of(choice);
            const auto known = std::find(different.begin(), different.end(), said);
            class_of_.back() = static_cast<std::uint32_t>(known - different.begin());
            if (known == different.end()) different.push_back(std::move(said));
        }
        choose_servers();
        if (different.empty()) return set_rule("servers", "each class has one server");
        if (different.size() == 1) return set_rule(different.front().first, different.front().second);
        std::string route = different.front().first;
        for (std::size_t k = 1; k < different.size(); ++k)
            route = fmt::format("when(of_class({}), {}, {})", k, different[k].first, route);
        set_rule(std::move(route), "each class by a rule of its own");
        require_room(different.size());
    }

    void require_room(std::size_t rules) const {
        try {
            (void)queueing::codec::read_policy_text(
                fmt::format("policy: p\nkeep: per_server_and_level\nroute: {}\nserve: own\n", model_.rule.route), "p");
        } catch (const InputError&) {
            choices_.back().at.fail(
                fmt::format("expected fewer than {} rules for classes, or of fewer probabilities: a policy has 64 "
                            "primitives",
                            rules));
        }
    }

    void set_rule(std::string route, std::string summary) {
        model_.rule.route = std::move(route);
        model_.rule.summary = std::move(summary);
    }

    /// The stations to which some class is sent, in the order of the file.
    void choose_servers() {
        std::vector<bool> is_used(network_.nodes.size());
        for (const Choice& choice : choices_)
            for (const Share& share : choice.shares) is_used[share.node] = true;
        for (std::size_t n = 0; n < network_.nodes.size(); ++n) {
            if (is_used[n]) servers_.push_back(n);
            if (!is_used[n] && network_.nodes[n].role == JmtRole::station)
                note(network_.nodes[n].at, "no class is sent there, so it is left out");
        }
    }

    static std::vector<Share> falling(const Choice& choice) {
        std::vector<Share> shares = choice.shares;
        std::stable_sort(shares.begin(), shares.end(),
                         [](const Share& a, const Share& b) { return a.probability > b.probability; });
        return shares;
    }
    /// The route of uneven draws; see the head of the file.
    [[nodiscard]] static std::string mixture(const Choice& choice) {
        std::vector<Rational> p;
        for (const Share& share : falling(choice)) p.push_back(share.probability);
        constexpr std::size_t most = 20;  // a part of it has three of the 64 primitives that a rule may have
        if (std::set<Rational>(p.begin(), p.end()).size() > most)
            choice.at.fail(fmt::format("expected at most {} different probabilities: a rule has 64 primitives", most));
        std::string route;
        Rational mass;  // of what the route holds
        for (std::size_t d = p.size(); d > 0; --d) {
            const Rational weight =
                Rational(static_cast<std::int64_t>(d)) * (p[d - 1] - (d < p.size() ? p[d] : Rational(0)));
            if (weight.sign() == 0) continue;
            const std::string first = d == p.size() ? "servers" : fmt::format("preferred({}, servers)", d);
            mass += weight;
            const Rational part = weight / mass;
            if (part.denominator() > Integer(std::numeric_limits<std::int64_t>::max()))
                choice.at.fail("expected probabilities of fewer digits: the policy language has numbers below 2^63");
            route = route.empty() ? first : fmt::format("mix({}, {}, {})", part.to_string(), first, route);
        }
        return route;
    }

    /// Letters, digits, '-', '_', '.' and ':', with one '-' for whatever stands between.
    [[nodiscard]] std::string plain(const std::string& name, std::size_t line, JmtNames& taken) const {
        std::string text;
        for (const char c : name) {
            if (base::is_plain_name(std::string_view(&c, 1)))
                text += c;
            else if (!text.empty() && text.back() != '-')
                text += '-';
        }
        while (text.ends_with('-')) text.pop_back();
        if (text.empty() || text.size() > base::max_name_bytes)
            throw InputError::at_line(file_, line, base::shown(name),
                                      "expected a shorter name, with a letter or a digit");
        if (!taken.try_emplace(text, line).second)
            throw InputError::at_line(
                file_, line, base::in_sentence(name),
                fmt::format("expected another name: what is left of it, {}, is that of line {}", text, taken[text]));
        return text;
    }

    void fill_instance() {
        model_.data.time = queueing::ContinuousTime{};
        JmtNames servers, types;
        for (const std::size_t n : servers_)
            model_.data.servers.push_back({plain(name_of(n), network_.nodes[n].at.line(), servers), {}});
        std::vector<std::size_t> place(network_.nodes.size());
        for (std::size_t m = 0; m < servers_.size(); ++m) place[servers_[m]] = m;
        for (std::size_t i = 0; i < present_.size(); ++i) {
            const JmtClass& one = network_.classes[present_[i]];
            queueing::TaskType type{.name = plain(one.name, one.line, types), .replicas = {}};
            type.at_servers.resize(servers_.size());
            for (const Share& share : choices_[i].shares)
                type.at_servers[place[share.node]] = network_.nodes[share.node].rates[present_[i]];
            type.class_number = class_of_[i];
            if (choices_[i].by == Sending::drawn && !is_even(choices_[i]))
                for (const Share& share : falling(choices_[i])) type.preference.emplace_back(place[share.node]);
            model_.data.types.push_back(std::move(type));
            model_.data.rates.push_back(*network_.nodes[one.source].rates[present_[i]]);
        }
    }

    /// Where all tasks of a server are served alike, their order does not matter, and one queue holds them.
    void note_order() {
        model_.rule.one_queue = true;
        std::vector<std::size_t> ordered;  // stations whose tasks are not served alike
        for (std::size_t m = 0; m < servers_.size(); ++m) {
            const queueing::TaskType* first = nullptr;
            bool differs = false;
            for (const queueing::TaskType& type : model_.data.types) {
                if (!type.at_servers[m]) continue;
                if (first == nullptr) first = &type;
                model_.rule.one_queue = model_.rule.one_queue && type.at_servers == first->at_servers;
                differs = differs || type.at_servers[m] != first->at_servers[m];
            }
            if (differs) ordered.push_back(servers_[m]);
        }
        if (ordered.empty()) return;
        const JmtNode& first = network_.nodes[ordered.front()];
        note(first.at,
             fmt::format(
                 "at {} tasks go first that are faster there than elsewhere, and among those of one kind any; JMT "
                 "serves them in order of arrival, as `simulate --discipline fcfs` does",
                 and_others(first.name, ordered.size() - 1)));
    }

    JmtNetwork network_;
    const std::string& file_;
    JmtModel model_;
    std::vector<std::size_t> present_;     // classes that arrive
    std::vector<Choice> choices_;          // of these
    std::vector<std::uint32_t> class_of_;  // of these, by how they are sent
    std::vector<std::size_t> servers_;     // nodes
};

}  // namespace

JmtModel read_jmt(std::string_view text, const std::string& file) {
    const XmlElement root = parse_xml(text, file);
    return ModelReader(read_network(root, file), file).run();
}

}  // namespace schedproof::input
