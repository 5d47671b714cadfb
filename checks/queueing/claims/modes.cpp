/// Claims about the execution modes: symbolic execution agrees with exact enumeration, and names of servers do not
/// matter.
///
/// A slot is explored at random shapes. Each random state of a shape must lie in exactly one cell, and the law of the
/// next state that the cell gives there must be that of enumeration. A counterexample is examined again along its own
/// path, without exploration. For renaming, the servers are rotated, and the kernel of the rotated cluster must be the
/// rotated kernel; that requires `scarcity = uniform-subset`, since the lowest index goes by names. Mutants explore one
/// rule and enumerate another. Both are claims of every policy, and asked of every registered one.
/// Source: [schedproof], docs/models/queueing.md, Interpretation Q7.
#include <algorithm>
#include <numeric>
#include <string>

#include "checks/queueing/claim.hpp"
#include "checks/queueing/instances.hpp"
#include "checks/queueing/mutants.hpp"
#include "checks/queueing/sampling.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/explore/explorer.hpp"

namespace schedproof::checks {

using namespace queueing;
using namespace queueing_claims;

namespace {

using Moves = std::vector<SymbolicMove>;
using Cells = explore::Exploration<Moves>;

ExactState at_point(const SymbolicState& state, const std::vector<Rational>& point) {
    ExactState exact;
    const auto value = [&](const explore::Affine& n) {
        return NumberTraits<CheckedInt>::coefficient(n.form().at(point));
    };
    for (const explore::Affine& n : state.length) exact.length.push_back(value(n));
    for (const explore::Affine& n : state.memory) exact.memory.push_back(value(n));
    exact.serving = state.serving;
    exact.waiting = state.waiting;
    return exact;
}

/// What is wrong at one point of explored cells, compared with the exact law; empty when nothing is.
std::string disagreement(const ExactSystem& exact, const proof::Space& space, const Cells& cells,
                         const std::vector<Rational>& point, const ExactState& state) {
    std::vector<std::uint32_t> containing;
    proof::for_each_leaf(space, cells.tree, [&](std::uint32_t leaf, const std::vector<proof::Constraint>& path) {
        if (std::all_of(path.begin(), path.end(), [&](const proof::Constraint& c) { return c.holds(point); }))
            containing.push_back(leaf);
    });
    if (containing.size() != 1)
        return "the state lies in " + std::to_string(containing.size()) + " cells of the exploration";
    Law<ExactState> law;
    for (const SymbolicMove& move : cells.leaves[containing.front()])
        law.add(at_point(move.slot.next, point), move.probability);
    return law == exact.kernel(state) ? "" : "the cell gives another law of the next state than the enumeration";
}

/// Explores the slot at some random shapes, and compares at random states of each.
Verdict explore_agrees(const System& system, const Settings& settings) {
    constexpr std::uint64_t states_per_shape = 20;
    constexpr std::size_t most_outcomes = 60'000;  // of all cells of a shape, which are held at once
    std::uint64_t cases = 0;
    for (std::uint64_t i = 0; cases < settings.cases; ++i) {
        Sampler randomness = sampler(settings, i);
        ExactState state = random_state(system.exact, randomness, 9);
        const Shape shape = state;
        const proof::Space space = system.symbolic.space(shape);
        std::size_t outcomes = 0;
        const Cells cells = explore::explore(
            space,
            [&](const std::vector<explore::Affine>& symbols) {
                auto moves = system.symbolic.moves(system.symbolic.state(shape, symbols));
                outcomes += moves.size();
                if (outcomes > most_outcomes)
                    throw LimitExceeded("outcomes", "the cells of a shape have more than " +
                                                        std::to_string(most_outcomes) + " outcomes of a step");
                return moves;
            },
            settings.budget);
        if (cells.ended) return Unknown{*cells.ended};
        for (std::uint64_t k = 0; k < states_per_shape && cases < settings.cases; ++k) {
            // Other lengths at the same statuses; listed queues and what stands in them belong to the shape.
            if (k > 0) {
                const ExactState other = random_state(system.exact, randomness, k % 2 == 0 ? 9 : 100);
                std::vector<Rational> lengths = system.symbolic.point(other);
                for (std::size_t x = 0; x < lengths.size(); ++x)
                    if (space.symbols[x].lower) lengths[x] = std::max(lengths[x], *space.symbols[x].lower);
                state = system.symbolic.at(shape, lengths);
            }
            ++cases;
            if (std::string wrong = disagreement(system.exact, space, cells, system.symbolic.point(state), state);
                !wrong.empty())
                return refuted_at(system, state);
        }
    }
    return Survived{cases, settings.seed};
}

/// The comparison at one state, along its own path only.
Violation law_violation(const System& system, const ExactState& state) {
    const proof::Space space = system.symbolic.space(state);
    const std::vector<Rational> point = system.symbolic.point(state);
    explore::PointDecider decider(space, point);
    Law<ExactState> law;
    for (const SymbolicMove& move : system.symbolic.moves(system.symbolic.state(state, symbols(decider))))
        law.add(at_point(move.slot.next, point), move.probability);
    return law == system.exact.kernel(state) ? "" : "the symbolic slot gives another law than the enumeration";
}

QueueingClaim agreement() {
    const std::vector<std::string> some{"m2-uneven", "m2-shared", "m3-racks"};
    // Enumeration of a mutant under the name of the policy that is explored.
    const auto crossed = [](System (*mutant)(const InstancePtr&), const char* policy) {
        return [=](const InstancePtr& instance) {
            return mutants::crossed(registered(instance, policy), mutant(instance));
        };
    };
    QueueingClaim claim = QueueingClaim("explore-agrees");
    claim
        .statement(
            "For every policy, each of the random states lies in exactly one cell of the explored slot, and the cell "
            "gives the law of the next state that enumeration gives.")
        .source("[schedproof]")
        .instances("the named instances; where queues list tasks, with concrete lists");
    for (const PolicyInfo& info : policies()) claim.holds({std::string(info.id)}, some);
    claim.oracle(asks("sampled", explore_agrees))
        .property(at_state(law_violation))
        .witness([](const System& system) { return describe(system.exact, system.exact.initial()); })
        .mutant_system(
            mutant_on({"enumeration-of-another-rule", "kernel: enumerate runs Wang with > for >=, explore the paper's",
                       "sampled", crossed(mutants::wang_ties_go_to_common, "wang-jsq-maxweight"), "m2-uneven"}))
        .mutant_system(
            mutant_on({"enumeration-of-another-threshold", "kernel: enumerate runs Pandas with another threshold",
                       "sampled", crossed(mutants::pandas_threshold_off_by_one, "pandas:plain"), "m2-uneven"}));
    return claim;
}

// ---------------------------------------------------------------------------------------------- renaming servers

using Permutation = std::vector<std::size_t>;  // old index -> new index

InstancePtr renamed(const Instance& instance, const Permutation& to) {
    InstanceData data = instance.data();
    for (std::size_t m = 0; m < to.size(); ++m) data.servers[to[m]] = instance.data().servers[m];
    for (TaskType& type : data.types) {
        for (ServerId& m : type.replicas) m = ServerId(to[m.index()]);
        std::sort(type.replicas.begin(), type.replicas.end());
        const auto rates = type.at_servers;
        for (std::size_t m = 0; m < rates.size(); ++m) type.at_servers[to[m]] = rates[m];
    }
    return std::make_shared<const Instance>(std::move(data));
}

/// The state of the cluster with renamed servers, which has queues of its own.
ExactState renamed(const ExactSystem& system, const ExactSystem& other, const ExactState& state,
                   const Permutation& to) {
    const Layout& layout = system.layout();
    const auto image = [&](QueueId q) {
        if (layout.is_shared(q) || layout.arrangement() == Arrangement::per_type) return q;
        const ServerId m = layout.owner(q), renamed_to(to[m.index()]);
        if (layout.arrangement() != Arrangement::per_server_and_level) return QueueId(renamed_to.index());
        return other.layout().queue(renamed_to, layout.service_level(system.instance(), q, m), layout.row(q));
    };
    ExactState result = state;
    for (const QueueId q : IdRange<QueueId>(state.length.size())) {
        result.length[image(q).index()] = state.length[q.index()];
        if (!state.waiting.empty()) result.waiting[image(q).index()] = state.waiting[q.index()];
    }
    for (std::size_t m = 0; m < to.size(); ++m) {
        Service service = state.serving[m];
        if (service.status != Service::Status::idle) service.queue = image(service.queue);
        result.serving[to[m]] = service;
    }
    return result;
}

/// Under `scarcity`, the kernel of the cluster with its servers rotated is the rotated kernel.
Violation rename_violation(const System& system, const ExactState& state, Scarcity scarcity) {
    InstanceData data = system.instance->data();
    data.options.scarcity = scarcity;
    const auto instance = std::make_shared<const Instance>(std::move(data));
    const System here = system.on(instance);
    Permutation to(instance->servers().size());
    std::iota(to.begin(), to.end(), std::size_t{0});
    std::rotate(to.begin(), to.begin() + 1, to.end());
    const System there = system.on(renamed(*instance, to));
    const Law<ExactState> image =
        here.exact.kernel(state).map([&](const ExactState& s) { return renamed(here.exact, there.exact, s, to); });
    const ExactState other = renamed(here.exact, there.exact, state, to);
    if (image == there.exact.kernel(other)) return {};
    return "renaming the servers in turn changes the law of the next state: it is another at " +
           describe(there.exact, other);
}

Property<QueueingFamily> renaming(Scarcity scarcity) {
    return at_state([scarcity](const System& system, const ExactState& state) {
        return rename_violation(system, state, scarcity);
    });
}

/// A quarter of the random states.
QueueingOracle fewer_states() {
    QueueingOracle oracle = sampled_states(9);
    oracle.run = [run = std::move(oracle.run)](const Trial<QueueingFamily>& trial,
                                               const Property<QueueingFamily>& property, const Settings& settings) {
        Settings fewer = settings;
        fewer.cases = std::max<std::uint64_t>(1, settings.cases / 4);
        return run(trial, property, fewer);
    };
    return oracle;
}

/// Ties dropped in favour of the lowest index.
System first_of_tied(const InstancePtr& instance) {
    System system = mutants::jsq_drops_routing_ties(instance);
    system.elsewhere = first_of_tied;
    return system;
}

/// Whether an idle server may take tasks of several types from the list of a queue that is not its own: then of two
/// servers that turn to it the one of lower index gets the first task, by the kernel and not by the policy.
bool may_share_lists(const AnyPolicy& policy, const char* instance) {
    if (decision_class(policy.rules()).reach == Reach::own) return false;
    try {
        return policy.layout(*named_instance(instance)).lists_tasks();
    } catch (const InputError&) {  // it does not run there
        return false;
    }
}

QueueingClaim symmetry() {
    QueueingClaim claim = QueueingClaim("renaming-servers");
    claim
        .statement(
            "At each of the random states, renaming the servers renames the law of the next slot, where scarce tasks "
            "go to "
            "a uniform subset of the servers that ask.")
        .source("[schedproof], docs/models/queueing.md, Interpretation Q7")
        .instances("the named instances, with scarcity = uniform-subset")
        .outside(of_instance(without_slots))
        .oracle(fewer_states())
        .property(renaming(Scarcity::uniform_subset))
        .witness([](const System& system) {
            return system.instance->servers().size() > 1
                       ? std::to_string(system.instance->servers().size()) + " servers"
                       : std::string();
        })
        .mutant_system(mutant_on(
            {"first-of-tied", "policy: the first of tied queues only", "sampled", first_of_tied, "m2-shared"}))
        .mutant({.name = "lowest-index-matching",
                 .change = "kernel option: scarce tasks go to the lowest indices",
                 .oracle = "sampled",
                 .caught = [](const Settings& settings) {
                     return refutation_of(sampled_states(2), renaming(Scarcity::lowest_index),
                                          registered(named_instance("m2-shared"), "generalized-cmu"), settings);
                 }});
    for (const PolicyInfo& info : policies()) {
        const Rules& rules = *find_rules(info.id);
        if (rules.planned())
            claim.leaves_out(std::string(info.id), "its plan is one of several optima, and renaming may find another");
        else if (rules.numbered())
            claim.leaves_out(std::string(info.id), "its rules say that it goes by the numbers of servers");
        else if (serving_rule(rules) == ServingRule::common)
            claim.holds({std::string(info.id)}, {"m2-shared"})
                .fails({std::string(info.id)}, {"m2-uneven"},
                       "servers take tasks of several types from one list, the first of them for the lowest index");
        else
            for (const char* instance : {"m2-uneven", "m2-shared", "m3-racks"}) {
                const bool known = !may_share_lists(AnyPolicy(info, rules), instance);
                known ? claim.holds({std::string(info.id)}, {instance})
                      : claim.asks({std::string(info.id)}, {instance});
            }
    }
    return claim;
}

}  // namespace

void add_queueing_modes(std::vector<Claim>& claims) {
    claims.push_back(agreement());
    claims.push_back(symmetry());
}

}  // namespace schedproof::checks
