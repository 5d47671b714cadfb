/// Names and states in words, for the subcommands that look at a queueing system exactly.
///
/// A state is the length of every queue (or the types that wait in it, where the policy's layout lists them), what each
/// server executes, and the policy's counters. Lists are checked against the layout entry by entry; what cannot happen,
/// such as a server that executes a task of a queue it cannot serve, or more tasks in execution than a queue holds, is
/// refused, since every number computed from such a state would be about no system at all.
#include "experiments/command/core/system.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/command/core/state_json.hpp"
#include "model/base/nearest.hpp"
#include "model/base/notation.hpp"
#include "model/base/split.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/capacity/plan.hpp"
#include "proofs/queueing/drift/closed_set_search.hpp"

namespace schedproof::cli {

using namespace queueing;

namespace {

[[noreturn]] void wrong(const char* option, std::size_t position, const std::string& expected) {
    throw InputError::at_key(fmt::format("{} (entry {})", option, position + 1), expected);
}

std::optional<std::int64_t> count(std::string_view word) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < 0 || value > 1'000'000'000)
        return std::nullopt;
    return value;
}

/// Index of `word` among `names`, or InputError with the nearest name.
std::size_t find_name(std::string_view word, const std::vector<std::string>& names, const char* option,
                      std::size_t position, const char* kind) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == word) return i;
    wrong(option, position, fmt::format("expected {}, not '{}'{}", kind, word, base::did_you_mean(word, names)));
}

Service parse_service(const ExactSystem& system, std::string_view word, ServerId m) {
    constexpr const char* option = "--serving";
    if (word == "idle") return {};
    Service service{Service::Status::busy, {}, {}};
    constexpr std::string_view phantom = "phantom:";
    if (word.starts_with(phantom)) {
        service.status = Service::Status::phantom;
        word.remove_prefix(phantom.size());
    }
    const std::size_t at = word.rfind('@');
    const std::string_view queue = word.substr(0, at);
    const Layout& layout = system.layout();
    const bool has_own = layout.arrangement() != Arrangement::per_type && layout.arrangement() != Arrangement::single &&
                         layout.rows() == 1 && layout.has_queue(m, system.instance().local(), 0);
    service.queue = has_own && queue == "own"
                        ? layout.queue(m, system.instance().local())
                        : QueueId(find_name(queue, queue_names(system.instance(), system.layout()), option, m.index(),
                                            "`idle` or a queue"));
    if (at != std::string_view::npos) {
        std::vector<std::string> levels;
        for (const LevelInfo& level : system.instance().data().levels) levels.push_back(level.name);
        service.level = Level(find_name(word.substr(at + 1), levels, option, m.index(), "a locality level after '@'"));
    } else if (!layout.serves(system.instance(), m, service.queue)) {
        wrong(option, m.index(), "expected a queue that the server can serve");
    } else if (layout.tracking(service.queue) == Tracking::counted) {
        service.level = layout.service_level(system.instance(), service.queue, m);
    } else {
        wrong(option, m.index(), "expected QUEUE@LEVEL: this queue does not determine the level of its tasks");
    }
    return service;
}

void parse_queue(const ExactSystem& system, std::string_view word, QueueId q, ExactState& state) {
    constexpr const char* option = "--queues";
    if (system.layout().tracking(q) != Tracking::listed) {
        const auto tasks = count(word);
        if (!tasks) wrong(option, q.index(), fmt::format("expected a number of tasks, not '{}'", word));
        state.length[q.index()] = CheckedInt(*tasks);
        return;
    }
    if (word == "0" || word.empty()) return;
    std::vector<std::string> types;
    for (const TaskType& type : system.instance().data().types) types.push_back(type.name);
    for (const std::string_view name : base::split(word, '+')) {
        state.waiting[q.index()].emplace_back(
            find_name(name, types, option, q.index(), "types of waiting tasks joined by '+'"));
        state.length[q.index()] += CheckedInt(1);
    }
}

/// Whether server m can be executing a task of this queue at this level at all.
bool can_execute(const ExactSystem& system, const Service& service, ServerId m) {
    const Instance& instance = system.instance();
    const Layout& layout = system.layout();
    const bool others = layout.arrangement() == Arrangement::per_server ||
                        layout.arrangement() == Arrangement::per_type || layout.is_shared(service.queue);
    if (!others && layout.owner(service.queue) != m) return false;
    if (!layout.serves(instance, m, service.queue)) return false;
    if (layout.tracking(service.queue) == Tracking::counted)
        return service.level == layout.service_level(instance, service.queue, m);
    for (const TaskTypeId type : instance.types())
        if (instance.level(type, m) == service.level) return true;
    return false;
}

void parse_serving(const ExactSystem& system, const std::string& text, ExactState& state) {
    const auto words = base::split(text, ',');
    if (words.size() != state.serving.size())
        throw InputError::at_key("--serving", fmt::format("expected {} entries, one per server, not {}",
                                                          state.serving.size(), words.size()));
    std::vector<std::int64_t> executing(state.length.size());
    for (const ServerId m : system.instance().servers()) {
        const Service service = parse_service(system, words[m.index()], m);
        state.serving[m.index()] = service;
        if (service.status == Service::Status::phantom && system.instance().options().unmatched != Unmatched::phantom)
            wrong("--serving", m.index(), "expected no phantom: the instance's option unmatched is 'idle'");
        if (service.status != Service::Status::idle && !can_execute(system, service, m))
            wrong("--serving", m.index(), "expected a queue and level that this server can serve");
        if (service.status != Service::Status::busy) continue;
        const std::size_t q = service.queue.index();
        ++executing[q];
        if (system.layout().tracking(service.queue) == Tracking::listed) state.length[q] += CheckedInt(1);
        if (CheckedInt(executing[q]) > state.length[q])
            wrong("--serving", m.index(),
                  fmt::format("expected at most as many executing servers as tasks in queue '{}'",
                              system.layout().name(system.instance(), service.queue)));
    }
}

void require_within(const ExactSystem& system, const ExactState& state) {
    const Truncation& truncation = system.truncation();
    std::int64_t sum = 0, longest = 0;
    for (const CheckedInt length : state.length) {
        sum += length.value();
        longest = std::max(longest, length.value());
    }
    const std::int64_t cap = truncation.cap;
    if ((truncation.rule == Truncation::Rule::total && sum > cap) ||
        (truncation.rule == Truncation::Rule::queue && longest > cap))
        throw InputError::at_key("--queues", fmt::format("expected a state within the truncation: {}",
                                                         describe(truncation, system.instance())));
}

/// In continuous time an event leaves settled states only, and under preemption none in which a server is at work.
void require_reachable_in_time(const ExactSystem& system, const ExactState& state) {
    const auto works = [](const Service& service) { return service.status != Service::Status::idle; };
    if (system.instance().preemptive() && std::any_of(state.serving.begin(), state.serving.end(), works))
        throw InputError::at_key("--serving",
                                 "expected none: with preemption the policy decides after every event who executes "
                                 "what, and a state is the queues alone");
    if (!system.is_settled(state))
        throw InputError::at_key("--serving",
                                 "expected a settled state: in continuous time every idle server has declined what "
                                 "waits, and here one would start a task at once; say what each server executes");
}

void parse_counters(const std::string& text, ExactState& state) {
    const auto words = base::split(text, ',');
    if (words.size() != state.memory.size())
        throw InputError::at_key("--counters", fmt::format("expected {} entries, one per counter of the policy, not {}",
                                                           state.memory.size(), words.size()));
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool negative = words[i].starts_with('-');
        const auto magnitude = count(words[i].substr(negative ? 1 : 0));
        if (!magnitude) wrong("--counters", i, fmt::format("expected an integer, not '{}'", words[i]));
        state.memory[i] = CheckedInt(negative ? -*magnitude : *magnitude);
    }
}

}  // namespace

queueing::Chain chain_of(const queueing::ExactSystem& system, const queueing::ChainLimits& limits) {
    try {
        return system.chain(limits);
    } catch (const LimitExceeded& limit) {
        if (system.truncation().rule != queueing::Truncation::Rule::none || limit.limit() != "states") throw;
        throw LimitExceeded("states",
                            fmt::format("more than {} reachable states; give --cap-total or --cap-queue, since "
                                        "without them there may be no end of states",
                                        limits.states));
    }
}

std::vector<QueueId> unjoined_queues(const ExactSystem& system) {
    const Instance& instance = system.instance();
    if (!instance.rates_at_servers() || instance.preemptive() || system.layout().lists_tasks() || system.plan())
        return {};
    try {
        const SymbolicSystem symbolic(instance, make_policy(system.info().id));
        ClosedSet closed = find_closed_set(symbolic, {});
        if (closed.empty.size() == system.layout().queues()) return {};  // nothing arrives
        return std::move(closed.empty);
    } catch (const LimitExceeded&) {
        return {};
    }
}

void require_plain_names(const ExactSystem& system) {
    std::vector<std::string> names = queue_names(system.instance(), system.layout());
    for (const TaskType& type : system.instance().data().types) names.push_back(type.name);
    for (const std::string& name : names)
        if (name == "idle" || name == "own" || name == "0" || name.starts_with("phantom:") ||
            name.find_first_of(",+@") != std::string::npos)
            throw InputError::at_key(
                "names",
                fmt::format("expected names that can stand in a state, unlike '{}': no ',', '+' or '@', not 'idle', "
                            "'own' or '0'",
                            name));
}

StateRequest StateWords::request() const {
    const auto list = [](const std::vector<std::string>& words) {
        return base::joined(words, ",", [](const std::string& word) { return word; });
    };
    return {list(queues), list(serving), list(counters)};
}

std::string StateWords::line() const {
    const StateRequest words = request();
    return fmt::format("Q {}  f {}{}", words.queues, words.serving, counters.empty() ? "" : "  c " + words.counters);
}

std::string policy_id(const std::string& name, const char* option) {
    const std::string_view id = resolve_policy(name);
    if (!id.empty()) return std::string(id);
    std::vector<std::string_view> ids;
    for (const PolicyInfo& info : policies()) {
        ids.push_back(info.id);
        ids.push_back(info.id.substr(0, info.id.find(':')));
    }
    throw InputError::at_key(
        option, fmt::format("expected a registered policy, not '{}'{}; see `schedproof list policies`", name,
                            base::did_you_mean(name, ids)));
}

std::shared_ptr<const Instance> read_instance_with_law(const std::string& file) {
    auto instance = std::make_shared<const Instance>(queueing::read_instance(file));
    try {
        (void)instance->arrivals();
    } catch (const InputError& error) {
        throw error.within({file, 0, ""});
    }
    return instance;
}

LoadedSystem load(const SystemRequest& request) {
    Truncation truncation;
    if (request.cap_total && request.cap_queue)
        throw InputError::at_key("--cap-total, --cap-queue", "expected one truncation rule, not both");
    if (request.cap_total) truncation = {Truncation::Rule::total, *request.cap_total};
    if (request.cap_queue) truncation = {Truncation::Rule::queue, *request.cap_queue};
    const std::string id = policy_id(request.policy);
    auto instance = std::make_unique<const Instance>(queueing::read_instance(request.instance));
    try {
        ExactSystem system(*instance, make_policy(id, *instance, capacity::fluid_plan), truncation);
        require_plain_names(system);
        return {std::move(instance), std::move(system)};
    } catch (const InputError& error) {
        throw error.within({request.instance, 0, ""});
    }
}

ExactState parse_state(const ExactSystem& system, const StateRequest& request) {
    ExactState state = system.initial();
    if (!request.queues.empty()) {
        const auto words = base::split(request.queues, ',');
        if (words.size() != state.length.size())
            throw InputError::at_key("--queues", fmt::format("expected {} entries, one per queue, not {}",
                                                             state.length.size(), words.size()));
        for (std::size_t q = 0; q < words.size(); ++q) parse_queue(system, words[q], QueueId(q), state);
    }
    if (!request.counters.empty()) parse_counters(request.counters, state);
    if (!request.serving.empty()) parse_serving(system, request.serving, state);
    require_within(system, state);
    require_reachable_in_time(system, state);
    return state;
}

StateWords to_words(const ExactSystem& system, const ExactState& state) {
    const Instance& instance = system.instance();
    StateWords words;
    for (const QueueId q : IdRange<QueueId>(state.length.size())) {
        std::string word;
        if (system.layout().tracking(q) == Tracking::listed) {
            for (const TaskTypeId type : state.waiting[q.index()])
                word += (word.empty() ? "" : "+") + instance.type(type).name;
            if (word.empty()) word = "0";
        } else {
            word = std::to_string(state.length[q.index()].value());
        }
        words.queues.push_back(std::move(word));
    }
    for (const ServerId m : instance.servers()) {
        const Service& service = state.serving[m.index()];
        std::string word = "idle";
        if (service.status != Service::Status::idle) {
            word = (service.status == Service::Status::phantom ? "phantom:" : "") +
                   system.layout().name(instance, service.queue);
            if (system.layout().tracking(service.queue) != Tracking::counted)
                word += "@" + instance.data().levels[service.level.index()].name;
        }
        words.serving.push_back(std::move(word));
    }
    for (const CheckedInt& counter : state.memory) words.counters.push_back(std::to_string(counter.value()));
    return words;
}

}  // namespace schedproof::cli
