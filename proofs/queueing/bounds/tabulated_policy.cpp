/// A rule of the testbed sees how many tasks of each queue wait and are in execution, not which server executes which.
/// With two servers an idle one can tell. With more, several states of the central scheduler look alike to it; each of
/// them has a best list of names, and the name that most of them give the server stands in the table.
///
/// In continuous time servers are asked one after another, and each sees what those before it started. Of a best list
/// of starts each part leaves the rest a best list, so that their order is of no consequence. With preemption all
/// servers are idle when the first is asked: tasks that wait and tasks in execution together are the state before the
/// event, by whose best allocation every server is told its type.
///
/// Beyond the table stands MaxWeight on the queues of types, whose drift carries the far field of a mean's proof.
#include "proofs/queueing/bounds/tabulated_policy.hpp"

#include <algorithm>
#include <functional>

#include "model/queueing/language/decision_table.hpp"
#include "proofs/queueing/bounds/naming_advice.hpp"

namespace schedproof::queueing {

namespace {

using language::DecisionTable;
using Counts = std::vector<std::uint32_t>;

/// Calls `use` with every list of so many numbers whose sum is at most `room`.
void each_list(std::size_t numbers, std::uint32_t room, Counts& list, const std::function<void()>& use) {
    if (list.size() == numbers) return use();
    for (std::uint32_t n = 0; n <= room; ++n) {
        list.push_back(n);
        each_list(numbers, room - n, list, use);
        list.pop_back();
    }
}

class TableMaker {
  public:
    TableMaker(const NamingAdvice& advice, DecisionTable table) : advice_(advice), table_(std::move(table)) {}

    [[nodiscard]] const DecisionTable& fill() {
        const auto servers = static_cast<std::uint32_t>(advice_.model().servers());
        Counts executing, waiting;
        each_list(advice_.model().types(), servers - 1, executing, [&] {
            each_list(advice_.model().types(), table_.most(), waiting, [&] {
                votes_.assign(servers, std::vector<std::uint32_t>(advice_.model().types() + 1, 0));
                if (advice_.model().preemptive())
                    vote_on_all(executing, waiting);
                else
                    vote_on_each(executing, waiting);
                for (std::size_t m = 0; m < servers; ++m) {
                    const auto most = std::max_element(votes_[m].begin(), votes_[m].end());
                    const auto name = static_cast<std::size_t>(most - votes_[m].begin());
                    table_.name(ServerId(m), executing, waiting,
                                name == 0 ? std::optional<QueueId>() : QueueId(name - 1));
                }
            });
        });
        return table_;
    }

  private:
    void vote_on_all(const Counts& executing, Counts tasks) {
        for (std::size_t t = 0; t < tasks.size(); ++t) tasks[t] += executing[t];
        if (const auto state = advice_.with_waiting(tasks)) count(advice_.best(*state), {});
    }
    void vote_on_each(Counts executing, const Counts& waiting) {
        std::vector<std::size_t> status;
        vote(executing, waiting, status);
    }
    /// Those of busy servers do not count.
    void count(const Names& names, const std::vector<std::size_t>& status) {
        for (std::size_t m = 0; m < names.size(); ++m)
            if (status.empty() || status[m] == 0) ++votes_[m][names[m]];
    }
    /// Each way in which the servers from status.size() on execute the tasks that are left.
    void vote(Counts& left, const Counts& waiting, std::vector<std::size_t>& status) {
        const std::size_t m = status.size();
        if (m == advice_.model().servers()) {
            if (std::any_of(left.begin(), left.end(), [](std::uint32_t n) { return n > 0; })) return;
            const auto state = advice_.at(waiting, status);
            if (!state) return;
            return count(advice_.best(*state), status);
        }
        status.push_back(0);
        vote(left, waiting, status);
        for (std::size_t type = 0; type < left.size(); ++type) {
            // At the rate of its level, as the policy runs it.
            const auto start = advice_.model().start_of(m, type);
            if (!start || left[type] == 0) continue;
            --left[type];
            status.back() = advice_.model().starts(m)[*start].status;
            vote(left, waiting, status);
            ++left[type];
        }
        status.pop_back();
    }

    const NamingAdvice& advice_;
    DecisionTable table_;
    std::vector<std::vector<std::uint32_t>> votes_;  // by server and name
};

}  // namespace

Rules tabulated_rules(const Instance& instance, const AnyPolicyTheorem& theorem, std::uint32_t most, unsigned threads) {
    using namespace language;
    // Up to so many wait that no server asks about a state beyond those of the advice.
    const auto number_of_servers = static_cast<std::uint32_t>(instance.servers().size());
    const std::uint32_t layer = CentralModel(instance, theorem.mode).layer();
    most = std::min(most, theorem.radius - std::min(theorem.radius, number_of_servers - layer));
    DecisionTable empty(most, number_of_servers, static_cast<std::uint32_t>(instance.types().size()));
    const NamingAdvice advice(instance, theorem, threads);
    const std::int64_t number = DecisionTable::kept(TableMaker(advice, std::move(empty)).fill().text());
    const auto beyond = argmax(nonempty(reachable), rate * length);
    return {keep(Arrangement::per_type), language::route(own_type),
            Serve{Tree::node(Op::tabulated, number, 0, beyond.tree)}};
}

}  // namespace schedproof::queueing
