/// Writing exact chains as PRISM's explicit files: see prism.hpp for the format.
///
/// Each part of a state becomes integer variables, such that distinct states get distinct tuples: queue lengths as they
/// are, a server's status and its queue and level coded into one signed number, a list of waiting tasks padded with
/// zeros to the longest list of the chain. PRISM's integers have 32 bits; a larger value is an error, not a wraparound.
///
/// Names become identifiers by replacing what PRISM does not allow. That may make two names equal, so each identifier
/// is numbered until it is new; prefixes keep them clear of keywords. Probabilities and rewards are written as
/// fractions, which PRISM reads exactly with `-exact`. Cost: linear in the files' length.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <ostream>
#include <set>
#include <utility>

#include "checks/pictures/state_label.hpp"
#include "checks/prism/prism.hpp"
#include "model/base/output_file.hpp"

namespace schedproof::graph {

using queueing::Chain;
using queueing::ExactState;
using queueing::ExactSystem;
using queueing::Layout;
using queueing::Service;
using queueing::Tracking;

namespace {

/// Turns names of an instance into distinct identifiers of PRISM. The prefix keeps them clear of its keywords.
class Identifiers {
  public:
    std::string operator()(const char* prefix, const std::string& name) {
        std::string plain = prefix;
        for (const char c : name) {
            const bool keeps = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            plain += keeps ? c : '_';
        }
        std::string unique = plain;
        for (int n = 2; !taken_.insert(unique).second; ++n) unique = fmt::format("{}__{}", plain, n);
        return unique;
    }

  private:
    std::set<std::string> taken_;
};

std::int32_t fitting(std::int64_t value) {
    if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max())
        throw LimitExceeded("32-bit integers of PRISM", fmt::format("a state holds the value {}", value));
    return static_cast<std::int32_t>(value);
}

std::int64_t service_code(const ExactSystem& system, const Service& service) {
    if (service.status == Service::Status::idle) return 0;
    const auto code = static_cast<std::int64_t>(1 + service.queue.index() * system.instance().levels().size() +
                                                service.level.index());
    return service.status == Service::Status::busy ? code : -code;
}

/// Length of the longest list of waiting tasks, per queue; zero for a queue that is counted.
std::vector<std::size_t> longest_lists(const ExactSystem& system, const Chain& chain) {
    std::vector<std::size_t> longest(system.layout().queues(), 0);
    for (const ExactState& state : chain.states)
        for (std::size_t q = 0; q < state.waiting.size(); ++q)
            longest[q] = std::max(longest[q], state.waiting[q].size());
    return longest;
}

std::vector<std::string> variable_names(const ExactSystem& system, const std::vector<std::size_t>& longest) {
    Identifiers identifier;
    std::vector<std::string> names;
    const auto queues = IdRange<QueueId>(system.layout().queues());
    for (const QueueId q : queues) names.push_back(identifier("q_", system.layout().name(system.instance(), q)));
    for (const ServerId m : system.instance().servers())
        names.push_back(identifier("f_", system.instance().server(m).name));
    for (const QueueId q : queues)
        for (std::size_t i = 1; i <= longest[q.index()]; ++i)
            names.push_back(identifier("w_", fmt::format("{}_{}", system.layout().name(system.instance(), q), i)));
    for (std::size_t i = 0; i < system.initial().memory.size(); ++i)
        names.push_back(identifier("c_", std::to_string(i)));
    return names;
}

std::vector<std::int32_t> variable_values(const ExactSystem& system, const std::vector<std::size_t>& longest,
                                          const ExactState& state) {
    std::vector<std::int32_t> values;
    for (const CheckedInt length : state.length) values.push_back(fitting(length.value()));
    for (const Service& service : state.serving) values.push_back(fitting(service_code(system, service)));
    for (std::size_t q = 0; q < longest.size(); ++q)
        for (std::size_t i = 0; i < longest[q]; ++i)
            values.push_back(
                i < state.waiting[q].size() ? fitting(static_cast<std::int64_t>(state.waiting[q][i].index()) + 1) : 0);
    for (const CheckedInt counter : state.memory) values.push_back(fitting(counter.value()));
    return values;
}

std::vector<PrismLabel> labels_of(const Chain& chain) {
    std::vector<PrismLabel> labels{{"init", {0}},    {"deadlock", {}},          {"empty", {}},
                                   {"all_busy", {}}, {"idle_with_waiting", {}}, {"blocking", {}}};
    for (std::size_t s = 0; s < chain.states.size(); ++s) {
        const ExactState& state = chain.states[s];
        const std::int64_t tasks = total_tasks(state), busy = working_servers(state);
        const bool all = busy == static_cast<std::int64_t>(state.serving.size());
        const bool holds[] = {tasks == 0, all, !all && tasks > busy, chain.blocked[s].sign() > 0};
        for (std::size_t i = 0; i < std::size(holds); ++i)
            if (holds[i]) labels[2 + i].states.push_back(static_cast<markov::StateIndex>(s));
    }
    return labels;
}

}  // namespace

PrismFiles PrismFiles::of_stem(const std::string& stem, std::size_t rewards) {
    PrismFiles files{stem + ".tra", stem + ".sta", stem + ".lab", {}};
    for (std::size_t i = 1; i <= rewards; ++i) files.rewards.push_back(fmt::format("{}{}.srew", stem, i));
    return files;
}

std::vector<std::string> PrismFiles::all() const {
    std::vector<std::string> names{transitions, states, labels};
    names.insert(names.end(), rewards.begin(), rewards.end());
    return names;
}

PrismModel prism_model(const ExactSystem& system, const Chain& chain) {
    PrismModel model;
    model.matrix = chain.matrix;
    const std::vector<std::size_t> longest = longest_lists(system, chain);
    model.variables = variable_names(system, longest);
    for (const ExactState& state : chain.states) model.values.push_back(variable_values(system, longest, state));
    model.labels = labels_of(chain);
    if (system.instance().preemptive())
        std::erase_if(model.labels, [](const PrismLabel& label) {
            return label.name == "all_busy" || label.name == "idle_with_waiting";
        });
    PrismReward tasks{"tasks", {}};
    for (const ExactState& state : chain.states) tasks.value.emplace_back(total_tasks(state));
    model.rewards = {std::move(tasks), {"completed", chain.completed}, {"blocked", chain.blocked}};
    if (!system.instance().continuous()) return model;
    model.event_rate = system.instance().event_rate();
    for (std::size_t i = 1; i < model.rewards.size(); ++i)
        for (Rational& value : model.rewards[i].value) value *= *model.event_rate;
    return model;
}

void write_tra(std::ostream& out, const markov::TransitionMatrix& matrix, const std::optional<Rational>& event_rate) {
    const Rational scale = event_rate.value_or(Rational(1));
    out << matrix.states() << ' ' << matrix.transitions() << '\n';
    for (std::size_t s = 0; s < matrix.states(); ++s)
        for (const markov::Transition& move : matrix.row(s))
            out << s << ' ' << move.target << ' ' << scale * move.probability << '\n';
}

void write_sta(std::ostream& out, const PrismModel& model) {
    const auto tuple = [&](const auto& values) {
        out << '(';
        for (std::size_t i = 0; i < values.size(); ++i) out << (i > 0 ? "," : "") << values[i];
        out << ")\n";
    };
    tuple(model.variables);
    for (std::size_t s = 0; s < model.values.size(); ++s) {
        out << s << ':';
        tuple(model.values[s]);
    }
}

void write_lab(std::ostream& out, const PrismModel& model) {
    std::vector<std::vector<std::size_t>> of_state(model.matrix.states());
    for (std::size_t label = 0; label < model.labels.size(); ++label) {
        out << (label > 0 ? " " : "") << label << "=\"" << model.labels[label].name << '"';
        for (const markov::StateIndex s : model.labels[label].states) of_state[s].push_back(label);
    }
    out << '\n';
    for (std::size_t s = 0; s < of_state.size(); ++s) {
        if (of_state[s].empty()) continue;
        out << s << ':';
        for (const std::size_t label : of_state[s]) out << ' ' << label;
        out << '\n';
    }
}

void write_srew(std::ostream& out, const PrismReward& reward) {
    out << "# Reward structure \"" << reward.name << "\"\n# State rewards\n";
    const auto entries =
        std::count_if(reward.value.begin(), reward.value.end(), [](const Rational& r) { return r.sign() != 0; });
    out << reward.value.size() << ' ' << entries << '\n';
    for (std::size_t s = 0; s < reward.value.size(); ++s)
        if (reward.value[s].sign() != 0) out << s << ' ' << reward.value[s] << '\n';
}

PrismFiles write_prism(const PrismModel& model, const std::string& stem) {
    PrismFiles files = PrismFiles::of_stem(stem, model.rewards.size());
    files.rates = model.event_rate.has_value();
    std::vector<base::OutputFile> open;
    const auto write = [&](const std::string& name, const auto& text_of) {
        open.emplace_back(name);
        text_of(open.back().stream());
        open.back().close();
    };
    write(files.transitions, [&](std::ostream& out) { write_tra(out, model.matrix, model.event_rate); });
    write(files.states, [&](std::ostream& out) { write_sta(out, model); });
    write(files.labels, [&](std::ostream& out) { write_lab(out, model); });
    for (std::size_t i = 0; i < files.rewards.size(); ++i)
        write(files.rewards[i], [&](std::ostream& out) { write_srew(out, model.rewards[i]); });
    for (base::OutputFile& file : open) file.commit();
    return files;
}

}  // namespace schedproof::graph
