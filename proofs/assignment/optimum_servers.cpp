/// The least makespan, and the fewest remote tasks within a deadline, by dividing the tasks among servers.
///
/// What a server's cores finish at depends on the server's numbers of local and remote tasks only, since all remote
/// tasks of a server cost the same, g_s(r) of their number r. So the search is in two layers. For one server and one r,
/// a table over (cores, local tasks, remote tasks) gives M_s(l, r): the k-th core takes some of each, the cores before
/// it stand at an entry of the table below. Over servers, tasks with the same replicas are interchangeable, and each
/// group is divided among the servers where it may go, depth first. M_s does not fall when a task is added, so a share
/// that is no better than the best value known ends its loop: no larger one is better.
/// Cost: a table has P_s T^2 entries of up to T^2 steps each; divisions are exponential in the number of groups.
/// Source: [jin2018], Section 3.
#include <algorithm>
#include <map>
#include <numeric>

#include "proofs/assignment/least_makespan.hpp"

namespace schedproof::assignment {

namespace {

/// How many local and remote tasks.
struct Counts {
    std::uint32_t local = 0;
    std::uint32_t remote = 0;
};

/// M_s(l, r) of one server, with the division among its cores. For each r, which fixes the price, a table over cores:
/// the least makespan of the first k cores when they carry a local and b remote tasks.
template <Number N>
class ServerMakespans {
  public:
    ServerMakespans(const Problem<N>& problem, ServerId s, std::size_t tasks)
        : problem_(problem), server_(s), tasks_(tasks), tables_(tasks + 1) {}

    /// None when l = r = 0: no core is active.
    [[nodiscard]] const std::optional<N>& least(Counts c) { return entry(c.remote, last(), c).makespan; }

    /// What each core carries in a division that attains `least`.
    [[nodiscard]] std::vector<Counts> division(Counts c) {
        std::vector<Counts> by_core(last());
        const std::uint32_t price = c.remote;
        for (std::size_t k = last(); k > 0; --k) {
            by_core[k - 1] = entry(price, k, c).taken;
            c.local -= by_core[k - 1].local;
            c.remote -= by_core[k - 1].remote;
        }
        return by_core;
    }

  private:
    struct Entry {
        bool reachable = false;
        std::optional<N> makespan;
        Counts taken;  ///< by the k-th core
    };
    using Table = std::vector<Entry>;

    [[nodiscard]] std::size_t last() const { return problem_.shape->cores_of(server_); }
    [[nodiscard]] std::size_t place(std::size_t k, std::size_t local, std::size_t remote) const {
        return (k * (tasks_ + 1) + local) * (tasks_ + 1) + remote;
    }
    [[nodiscard]] const Entry& entry(std::uint32_t price, std::size_t k, Counts c) {
        if (tables_[price].empty()) fill(price);
        return tables_[price][place(k, c.local, c.remote)];
    }

    void fill(std::uint32_t price) {
        Table& table = tables_[price];
        table.resize((last() + 1) * (tasks_ + 1) * (tasks_ + 1));
        table[place(0, 0, 0)].reachable = true;
        const std::uint32_t tasks = static_cast<std::uint32_t>(tasks_);
        for (std::size_t k = 1; k <= last(); ++k)
            for (std::uint32_t a = 0; a + price <= tasks; ++a)
                for (std::uint32_t b = 0; b <= price; ++b)
                    for (std::uint32_t local = 0; local <= a; ++local)
                        for (std::uint32_t remote = 0; remote <= b; ++remote)
                            offer(table[place(k, a, b)], table[place(k - 1, a - local, b - remote)], k - 1,
                                  {local, remote}, price);
    }
    /// One way to an entry: the cores before stand as in `before`, core i takes `c`.
    void offer(Entry& entry, const Entry& before, std::size_t i, Counts c, std::uint32_t price) const {
        if (!before.reachable) return;
        std::optional<N> makespan = before.makespan;
        if (c.local + c.remote > 0) {
            N load = problem_.load(problem_.shape->core(server_, i)) + times(c.local, problem_.local);
            if (c.remote > 0) load = load + times(c.remote, problem_.cost(server_)(price));
            if (!makespan || load > *makespan) makespan = load;
        }
        const bool better = !entry.reachable || (entry.makespan && (!makespan || *makespan < *entry.makespan));
        if (better) entry = {true, std::move(makespan), c};
    }

    const Problem<N>& problem_;
    ServerId server_;
    std::size_t tasks_;
    std::vector<Table> tables_;  // by r; empty until asked for
};

/// Tasks with the same replicas.
struct Group {
    std::vector<ServerId> replicas;  // ascending
    std::vector<TaskId> tasks;
    std::vector<ServerId> servers;  // where they may go
    [[nodiscard]] bool local(ServerId s) const { return std::binary_search(replicas.begin(), replicas.end(), s); }
};

std::vector<Group> groups_of(const Shape& shape, Among among) {
    std::map<std::vector<ServerId>, Group> by_replicas;
    for (const TaskId t : shape.tasks()) {
        std::vector<ServerId> replicas(shape.replicas(t).begin(), shape.replicas(t).end());
        std::sort(replicas.begin(), replicas.end());
        Group& group = by_replicas[replicas];
        group.replicas = std::move(replicas);
        group.tasks.push_back(t);
    }
    std::vector<Group> groups;
    for (auto& [replicas, group] : by_replicas) {
        for (const ServerId s : shape.servers())
            if (among == Among::all || group.local(s)) group.servers.push_back(s);
        groups.push_back(std::move(group));
    }
    return groups;
}

/// Depth first over groups and, within a group, over the servers' shares of it.
template <Number N>
class Divisions {
  public:
    Divisions(const Problem<N>& problem, Among among, std::uint64_t limit)
        : problem_(problem), limit_(limit), groups_(groups_of(*problem.shape, among)) {
        for (const ServerId s : problem.shape->servers())
            makespans_.emplace_back(problem, s, problem.shape->tasks().size());
        counts_.resize(makespans_.size());
        for (const Group& group : groups_) shares_.emplace_back(group.servers.size(), 0);
    }
    virtual ~Divisions() = default;

    void search() { divide(0, 0, groups_.empty() ? 0 : groups_[0].tasks.size()); }
    [[nodiscard]] std::uint64_t cases() const { return cases_; }

  protected:
    [[nodiscard]] const std::optional<N>& least(ServerId s) { return makespans_[s.index()].least(counts_[s.index()]); }
    [[nodiscard]] const std::vector<Counts>& counts() const { return counts_; }
    /// Whether the part divided so far may still lead to something better; `s` has changed last.
    [[nodiscard]] virtual bool promising(ServerId s) = 0;
    /// A whole division every part of which was promising.
    virtual void complete() = 0;

    /// The current division as a map.
    [[nodiscard]] Assignment map() {
        std::vector<std::vector<CoreId>> local(counts_.size()), remote(counts_.size());
        for (const ServerId s : problem_.shape->servers()) {
            const std::vector<Counts> by_core = makespans_[s.index()].division(counts_[s.index()]);
            for (std::size_t i = 0; i < by_core.size(); ++i) {
                const CoreId p = problem_.shape->core(s, i);
                local[s.index()].insert(local[s.index()].end(), by_core[i].local, p);
                remote[s.index()].insert(remote[s.index()].end(), by_core[i].remote, p);
            }
        }
        Assignment assignment(problem_.shape->tasks().size());
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            auto task = groups_[g].tasks.begin();
            for (std::size_t i = 0; i < groups_[g].servers.size(); ++i)
                for (std::size_t n = shares_[g][i]; n > 0; --n, ++task) {
                    const ServerId s = groups_[g].servers[i];
                    auto& places = (groups_[g].local(s) ? local : remote)[s.index()];
                    assignment[task->index()] = places.back();
                    places.pop_back();
                }
        }
        return assignment;
    }

  private:
    /// The i-th server's share of group g, of which `left` tasks are still to be placed.
    void divide(std::size_t g, std::size_t i, std::size_t left) {
        if (g == groups_.size()) {
            if (++cases_ > limit_)
                throw LimitExceeded("divisions", "more than " + std::to_string(limit_) + " divisions among servers");
            return complete();
        }
        const Group& group = groups_[g];
        const ServerId s = group.servers[i];
        Counts& counts = counts_[s.index()];
        std::uint32_t& count = group.local(s) ? counts.local : counts.remote;
        const std::uint32_t before = count;
        const bool last = i + 1 == group.servers.size();
        for (std::size_t n = last ? left : 0; n <= left; ++n) {
            count = before + static_cast<std::uint32_t>(n);
            if (n > 0 && !promising(s)) break;  // nor is any larger share
            shares_[g][i] = n;
            if (last)
                divide(g + 1, 0, g + 1 < groups_.size() ? groups_[g + 1].tasks.size() : 0);
            else
                divide(g, i + 1, left - n);
        }
        count = before;
    }

    const Problem<N>& problem_;
    std::uint64_t limit_;
    std::uint64_t cases_ = 0;
    std::vector<Group> groups_;
    std::vector<ServerMakespans<N>> makespans_;     // by server
    std::vector<Counts> counts_;                    // by server
    std::vector<std::vector<std::size_t>> shares_;  // by group, by position in its servers
};

template <Number N>
class LeastMakespan final : public Divisions<N> {
  public:
    using Divisions<N>::Divisions;
    Best<N> best;

  private:
    [[nodiscard]] bool promising(ServerId s) override {
        const std::optional<N>& makespan = this->least(s);
        return !best.value || !makespan || *makespan < *best.value;
    }
    void complete() override {
        std::optional<N> makespan;
        for (std::size_t s = 0; s < this->counts().size(); ++s)
            if (const auto& of_server = this->least(ServerId(s)); of_server && (!makespan || *of_server > *makespan))
                makespan = of_server;
        if (!makespan || (best.value && !(*makespan < *best.value))) return;
        best.value = std::move(makespan);
        best.witness = this->map();
    }
};

template <Number N>
class FewestRemote final : public Divisions<N> {
  public:
    FewestRemote(const Problem<N>& problem, const N& deadline, std::uint64_t limit)
        : Divisions<N>(problem, Among::all, limit), deadline_(deadline) {}
    Best<std::size_t> best;

  private:
    [[nodiscard]] std::size_t remote() const {
        return std::accumulate(this->counts().begin(), this->counts().end(), std::size_t{0},
                               [](std::size_t sum, const Counts& c) { return sum + c.remote; });
    }
    [[nodiscard]] bool promising(ServerId s) override {
        return !(*this->least(s) > deadline_) && (!best.value || remote() < *best.value);
    }
    void complete() override {
        if (best.value && remote() >= *best.value) return;
        best.value = remote();
        best.witness = this->map();
    }
    N deadline_;
};

}  // namespace

template <Number N>
Best<N> optimum_by_servers(const Problem<N>& problem, Among among, std::uint64_t limit) {
    LeastMakespan<N> search(problem, among, limit);
    search.search();
    Best<N> best = std::move(search.best);
    best.cases = search.cases();
    best.established = Established::every_division;
    if (best.value && evaluate(problem, best.witness).makespan != best.value)
        throw OracleConflict("the makespan of a division is not that of its map");
    return best;
}

template <Number N>
Best<std::size_t> fewest_remote_by_servers(const Problem<N>& problem, const N& deadline, std::uint64_t limit) {
    FewestRemote<N> search(problem, deadline, limit);
    search.search();
    Best<std::size_t> best = std::move(search.best);
    best.cases = search.cases();
    best.established = Established::every_division;
    if (!best.value) return best;
    const Evaluation<N> e = evaluate(problem, best.witness);
    if (e.remote_tasks != *best.value || (e.makespan && *e.makespan > deadline))
        throw OracleConflict("the remote tasks of a division are not those of its map");
    return best;
}

template Best<Rational> optimum_by_servers(const Problem<Rational>&, Among, std::uint64_t);
template Best<CheckedInt> optimum_by_servers(const Problem<CheckedInt>&, Among, std::uint64_t);
template Best<std::size_t> fewest_remote_by_servers(const Problem<Rational>&, const Rational&, std::uint64_t);
template Best<std::size_t> fewest_remote_by_servers(const Problem<CheckedInt>&, const CheckedInt&, std::uint64_t);

}  // namespace schedproof::assignment
