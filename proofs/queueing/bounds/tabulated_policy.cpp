/// A rule of the testbed sees how many tasks of each queue wait and are in execution, not which server executes which.
/// With two servers an idle one can tell. With more, several states of the central scheduler look alike to it; each of
/// them has a best list of names, and the name that most of them give the server stands in the table.
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
                Counts left = executing;
                std::vector<std::size_t> status;
                vote(left, waiting, status);
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
    /// Each way in which the servers from status.size() on execute the tasks that are left.
    void vote(Counts& left, const Counts& waiting, std::vector<std::size_t>& status) {
        const std::size_t m = status.size();
        if (m == advice_.model().servers()) {
            if (std::any_of(left.begin(), left.end(), [](std::uint32_t n) { return n > 0; })) return;
            const auto state = advice_.at(waiting, status);
            if (!state) return;
            const Names names = advice_.best(*state);
            for (std::size_t idle = 0; idle < names.size(); ++idle)
                if (status[idle] == 0) ++votes_[idle][names[idle]];
            return;
        }
        status.push_back(0);
        vote(left, waiting, status);
        for (const CentralModel::Start& start : advice_.model().starts(m)) {
            if (left[start.type] == 0) continue;
            --left[start.type];
            status.back() = start.status;
            vote(left, waiting, status);
            ++left[start.type];
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
    most = std::min(most, theorem.radius);
    DecisionTable empty(most, static_cast<std::uint32_t>(instance.servers().size()),
                        static_cast<std::uint32_t>(instance.types().size()));
    const NamingAdvice advice(instance, theorem, threads);
    const std::int64_t number = DecisionTable::kept(TableMaker(advice, std::move(empty)).fill().text());
    const auto beyond = argmax(nonempty(reachable), rate * length);
    return {keep(Arrangement::per_type), language::route(own_type),
            Serve{Tree::node(Op::tabulated, number, 0, beyond.tree)}};
}

}  // namespace schedproof::queueing
