/// What a new file says. Each is a policy that runs as it stands, with the words that its author may use instead and
/// the commands that decide what is hoped for: JSQ-MaxWeight, delay scheduling, greedy local assignment, first come
/// first served. It is kept short, since it is read before it is changed; @ID@, @TYPE@ and @FILE@ stand for
/// names, @WORDS@ for the vocabulary of queueing policies.
#include "experiments/command/new_policy/templates.hpp"

#include <fmt/core.h>

#include <initializer_list>
#include <utility>

#include "model/base/notation.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/language/words.hpp"

namespace schedproof::cli {

namespace {

constexpr std::string_view queueing_text = R"text(# @ID@: what an arriving task and an idle server do, and why.
#
# INSTANCE is your instance file. What is hoped for, and the commands that decide it:
#   all of it at once               schedproof validate @FILE@
#   stable on every cluster         schedproof prove throughput-optimal --for-all --policy-file @FILE@
#   stable on one instance          schedproof prove drift INSTANCE --policy-file @FILE@ --find-lyapunov
#   or by a function of your own    schedproof prove drift INSTANCE --policy-file @FILE@
#   else: it may never empty again  schedproof prove transience INSTANCE --policy-file @FILE@
#   the exact law of a slot         schedproof kernel INSTANCE --policy-file @FILE@
#   how it does beside another      schedproof simulate INSTANCE --policy-file @FILE@ -p @ID@ -p jsq-maxweight
#
# The vocabulary; docs/policy-language.md explains it.
@WORDS@# `let: NAME = EXPRESSION` gives a part a name for the lines after it. If it is a number, as in `let: abs = 64`, it is a
# parameter, to which @FILE@:abs=32 in place of @FILE@, or -p @ID@:abs=32, gives another value. `hopes: ID, ID` names claims of
# `schedproof list claims` that `validate` asks of the policy, whichever policies they speak of. `lyapunov: FUNCTION`, or
# a sum such as `regret + 2 * total`, names a function of the state whose drift should be negative when queues are long:
# one of `schedproof list lyapunov` or of your instance file. `validate` tries it besides its own.

policy: @ID@
source: ""
summary: "join the shortest local queue; serve the queue of largest rate times length"
keep: per_server
let: shortest = argmin(local, length)
let: heaviest = argmax(nonempty(reachable), rate * length)
route: shortest
serve: first_of(heaviest, own)
lyapunov: regret
)text";

constexpr std::string_view queueing_header = R"text(/// @ID@: what an arriving task and an idle server do, and why.
///
/// INSTANCE is your instance file. What is hoped for, and the commands that decide it:
///   all of it at once               schedproof validate @FILE@
///   stable on every cluster         schedproof prove throughput-optimal --for-all --policy-file @FILE@
///   stable on one instance          schedproof prove drift INSTANCE --policy-file @FILE@ --find-lyapunov
///   or by a function of your own    schedproof prove drift INSTANCE --policy-file @FILE@
///   else: it may never empty again  schedproof prove transience INSTANCE --policy-file @FILE@
///   the exact law of a slot         schedproof kernel INSTANCE --policy-file @FILE@
///   how it does beside another      schedproof simulate INSTANCE --policy-file @FILE@ -p @ID@ -p jsq-maxweight
///
/// The vocabulary; docs/policy-language.md explains it. Arrangements are written Arrangement::per_server.
@WORDS@#pragma once

#include <array>

#include "model/queueing/policy.hpp"

namespace schedproof::queueing::language {

struct @TYPE@ {
    /// Its name in commands, where it comes from, what it does in one sentence.
    static constexpr PolicyInfo info{"@ID@", "",
                                     "join the shortest local queue; serve the queue of largest rate times length"};
    /// Claims of `schedproof list claims` that `validate` asks of it, whichever policies they speak of.
    static constexpr std::array<const char*, 0> hopes{};
    /// Optional: a function of the state whose drift should be negative when queues are long, one of `schedproof list
    /// lyapunov` or of your instance file, or a sum such as "regret + 2 * total". `validate` tries it besides its own.
    static constexpr const char* lyapunov = "regret";

    // Parts and parameters are constants; `rules` is all that the engines read.
    static constexpr auto shortest = argmin(local, length);
    static constexpr auto heaviest = argmax(nonempty(reachable), rate * length);

    /// The queues that are kept, which one an arriving task joins, which one an idle server turns to.
    static constexpr Rules rules{keep(Arrangement::per_server), route(shortest), serve(first_of(heaviest, own))};
};

}  // namespace schedproof::queueing::language
)text";

constexpr std::string_view sharing_header =
    R"text(/// @ID@: which job launches a task on a free task slot, and how far from its data.
///
/// What is hoped for, and the commands that decide it:
///   all of it at once               schedproof validate @FILE@
///   claims about every policy       schedproof check sharing --policy-file @FILE@
///   how it does beside another      schedproof simulate --policy-file @FILE@ -p @ID@ -p delay
///
/// What a view answers is in model/sharing/policy_view.hpp: jobs(Order::fair) and jobs(Order::fifo), the ready jobs;
/// of a job j and the node n of the free slot nearest(j, n), skips(j), running(j), waited(j); remote_tasks(n).
/// A policy may have `route` and `reclaim` too (model/sharing/policy.hpp). It draws nothing, keeps nothing between calls
/// but skip counts, and cannot order nodes or jobs by their numbers.
#pragma once

#include <array>

#include "model/sharing/policy.hpp"

namespace schedproof::sharing {

struct @TYPE@ {
    /// Its name in commands, where it comes from, what it does in one sentence.
    static constexpr PolicyInfo info{"@ID@", "", "fair sharing; a job without a local task is passed over, d times"};
    /// Claims of `schedproof list claims` that `validate` asks of it, whichever policies they speak of.
    static constexpr std::array<const char*, 0> hopes{};

    /// Parameters, all of them listed. Unit: free slots offered. Range: at least 0.
    std::int64_t d = 1;
    static constexpr std::tuple parameters{Parameter("D", &@TYPE@::d)};

    /// The job that launches a task on the free slot of node n, and at which level; none to leave the slot free.
    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        for (const JobRef j : now.jobs(Order::fair)) {
            const Locality nearest = now.nearest(j, n);
            if (nearest == Locality::local) {
                now.set_skips(j, 0);
                return Launch{j, nearest};
            }
            if (now.skips(j) >= d) return Launch{j, nearest};
            now.skip(j);
        }
        return {};
    }
};

// Says at the first rule that is broken what the family asks of a policy.
static_assert(admitted<@TYPE@>());

}  // namespace schedproof::sharing
)text";

constexpr std::string_view assignment_header = R"text(/// @ID@: which core runs which task of a batch.
///
/// What is hoped for, and the commands that decide it; INSTANCE is your instance file:
///   all of it at once               schedproof validate @FILE@
///   its map and makespan            schedproof assign INSTANCE --policy-file @FILE@ -p @ID@ -p dyndloff
///   how much worse than the best    schedproof worst --shape 1,1:0/01 --policy-file @FILE@
///   claims about every policy       schedproof check assignment --policy-file @FILE@
///
/// problem.shape says which tasks, servers and cores there are and where the tasks' data is (model/assignment/shape.hpp);
/// problem.load(core) the work that a core has, problem.local what a local task costs, problem.cost(server)(n) what each
/// of n remote tasks costs on a server. Numbers are added and compared, and nothing else. An online policy, which learns
/// a load when the core becomes free, is written on model/assignment/online.hpp.
#pragma once

#include <array>

#include "model/assignment/policy.hpp"

namespace schedproof::assignment {

struct @TYPE@ {
    /// Its name in commands, where it comes from, what it does in one sentence.
    static constexpr PolicyInfo info{"@ID@", "", "tasks by id, each to the local core of least load"};
    /// Claims of `schedproof list claims` that `validate` asks of it, whichever policies they speak of.
    static constexpr std::array<const char*, 0> hopes{};

    /// A core for every task, in the order of the tasks. Parameters, if there are any, are public members that a
    /// `parameters` list names (model/core/parameters.hpp).
    template <Number N>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem) const {
        const Shape& shape = *problem.shape;
        std::vector<N> load = problem.initial;
        ScheduleResult<N> result;
        for (const TaskId t : shape.tasks()) {
            CoreId best = shape.core(shape.replicas(t).front(), 0);
            for (const ServerId s : shape.replicas(t))
                for (std::size_t i = 0; i < shape.cores_of(s); ++i)
                    if (load[shape.core(s, i).index()] < load[best.index()]) best = shape.core(s, i);
            load[best.index()] = load[best.index()] + problem.local;
            result.assignment.push_back(best);
        }
        return result;
    }
};

// Says at the first rule that is broken what the family asks of a policy.
static_assert(admitted<@TYPE@>());

}  // namespace schedproof::assignment
)text";

constexpr std::string_view redundancy_header =
    R"text(/// @ID@: how many copies each job has, and which share of its machines.
///
/// What is hoped for, and the commands that decide it:
///   all of it at once               schedproof validate @FILE@
///   how much worse than the best    schedproof worst --shape n2-m2-det --policy-file @FILE@
///   claims about every policy       schedproof check redundancy --policy-file @FILE@
///   how it does beside another      schedproof simulate --policy-file @FILE@ -p @ID@ -p srpt+r --rate 1 --horizon 20000
///
/// A policy sees two counts. grant(allocation, first, last, {copies, ways}) gives the jobs of ranks first to last - 1
/// `copies` copies each, on machines that each of them shares with ways - 1 others. The sum of copies / ways is at most
/// the number of machines.
#pragma once

#include <algorithm>
#include <array>

#include "model/redundancy/allocation.hpp"

namespace schedproof::redundancy {

struct @TYPE@ {
    /// Its name in commands, where it comes from, what it does in one sentence.
    static constexpr PolicyInfo info{"@ID@", "", "one copy for each of the M oldest jobs"};
    /// Claims of `schedproof list claims` that `validate` asks of it, whichever policies they speak of.
    static constexpr std::array<const char*, 0> hopes{};

    /// How active jobs are ranked from 0: Order::remaining, least remaining work first, or Order::arrival, oldest first.
    static constexpr Order order = Order::arrival;

    /// What n >= 1 active jobs get of this many machines. Parameters, if there are any, are public members that a
    /// `parameters` list names (model/core/parameters.hpp).
    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t machines) const {
        Allocation allocation;
        grant(allocation, 0, std::min(n, machines), {1, 1});
        return allocation;
    }
};

// Says at the first rule that is broken what the family asks of a policy.
static_assert(admitted<@TYPE@>());

}  // namespace schedproof::redundancy
)text";

/// The text with every mark replaced.
std::string filled(std::string_view form,
                   std::initializer_list<std::pair<std::string_view, std::string_view>> replacements) {
    std::string text(form);
    for (const auto& [mark, value] : replacements)
        for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size())
            text.replace(at, mark.size(), value);
    return text;
}

}  // namespace

std::string policy_template(std::string_view family, std::string_view id, std::string_view type,
                            std::string_view file) {
    for (const auto& [name, form] : {std::pair{std::string_view("queueing"), queueing_header},
                                     {std::string_view("sharing"), sharing_header},
                                     {std::string_view("assignment"), assignment_header},
                                     {std::string_view("redundancy"), redundancy_header}})
        if (name == family)
            return filled(form, {{"@ID@", id},
                                 {"@TYPE@", type},
                                 {"@FILE@", file},
                                 {"@WORDS@", queueing::language::vocabulary_comment("///")}});
    throw ContractViolation("a template is that of a family");
}

std::string policy_as_header(const queueing::codec::PolicyText& policy, std::string_view type) {
    return fmt::format(
        "#pragma once\n\n"
        "#include <array>\n\n"
        "#include \"model/queueing/policy.hpp\"\n\n"
        "namespace schedproof::queueing::language {{\n\n"
        "struct {} {{\n"
        "    static constexpr PolicyInfo info{{{}, {},\n                                     {}}};\n"
        "    static constexpr Rules rules{{keep(Arrangement::{}),\n"
        "                                 route({}),\n"
        "                                 serve({})}};\n"
        "{}{}"
        "}};\n\n"
        "}}  // namespace schedproof::queueing::language\n",
        type, base::in_quotes(policy.id), base::in_quotes(policy.source), base::in_quotes(policy.summary),
        to_string(policy.rules.arrangement()), queueing::to_string(policy.rules.route()),
        queueing::to_string(policy.rules.serve()),
        policy.hopes.empty() ? ""
                             : fmt::format("    static constexpr std::array<const char*, {}> hopes{{{}}};\n",
                                           policy.hopes.size(), base::joined(policy.hopes, ", ", base::in_quotes)),
        policy.lyapunov.empty()
            ? ""
            : fmt::format("    static constexpr const char* lyapunov = {};\n", base::in_quotes(policy.lyapunov)));
}

std::string policy_text_template(std::string_view id, std::string_view file) {
    return filled(queueing_text,
                  {{"@ID@", id}, {"@FILE@", file}, {"@WORDS@", queueing::language::vocabulary_comment("#")}});
}

}  // namespace schedproof::cli
