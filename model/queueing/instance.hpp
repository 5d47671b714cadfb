/// A cluster with data locality: servers, racks, task types, rates, arrivals.
///
/// A task type is the set of servers that hold a replica of its data. How far a server is from the data decides the
/// rate at which it serves the task: at its own disk, in the same rack, in the same larger group, ..., anywhere else.
/// Levels are data: with G nested groupings of the servers there are G+2 levels, so two levels need no racks, three
/// need racks, four racks and, say, data centres.
///
/// Where servers are unlike, types state their rates at servers instead, in any pattern, and a server may be unable to
/// serve a type. The levels of a type are then its different rates, greatest first, and its level at a server is the
/// place of the rate there. So a level tells the rate of a type in both cases.
///
/// Time runs in slots, or it is continuous: then tasks arrive in Poisson streams, services are exponential, and rates
/// are per unit of time and of any size. Then tasks may come in batches.
/// Long: what all engines ask of a cluster is asked of one class.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/core/ids.hpp"
#include "model/core/rational.hpp"
#include "model/queueing/arrivals.hpp"
#include "model/queueing/lyapunov_text.hpp"
#include "model/queueing/options.hpp"

namespace schedproof::queueing {

struct LevelInfo {
    std::string name;
    Rational rate;  ///< completions of a task in service: probability in a slot, or number per unit of time
};

struct Server {
    std::string name;
    std::vector<std::string> groups;  ///< names of its groups, innermost (rack) first; at least one per middle level
};

struct TaskType {
    std::string name;
    std::vector<ServerId> replicas;  ///< ascending, not empty
    /// Holding cost C(x) = cost * x^(exponent + 1), read by the generalised c-mu rule only.
    Rational cost = Rational(Integer(1), Integer(2));
    unsigned exponent = 1;
    /// mu per level, where they are not those of the levels; then the type has rates of its own. Otherwise empty.
    std::vector<Rational> rates{};
    /// mu per server, absent where the server cannot serve the type, if types state their rates at servers. Otherwise
    /// empty.
    std::vector<std::optional<Rational>> at_servers{};
    /// The servers in the order in which rules may try them, those that are not listed last; empty: the nearest first.
    std::vector<ServerId> preference{};
    std::uint32_t class_number = 0;  ///< what rules may tell types apart by
};

/// Says that time is continuous.
struct ContinuousTime {
    std::string unit;  ///< such as "s"; may be empty
};

/// The parts of an instance as a reader or a test puts them together; `Instance` checks them.
struct InstanceData {
    std::string name;
    std::string source;             ///< where it comes from: a paper, a listing; may be empty
    std::vector<LevelInfo> levels;  ///< local first, remote last
    std::vector<Server> servers;
    std::vector<TaskType> types;
    std::optional<ContinuousTime> time{};  ///< absent: time runs in slots
    /// lambda per type, in tasks. In slots filled from `arrivals` when that is given.
    std::vector<Rational> rates;
    /// In continuous time: per type the sizes of its batches, each at least 2. What their probabilities lack to 1 is
    /// that of a single task. Empty, or empty for a type: its tasks come one by one.
    std::vector<std::vector<BatchSize>> batches{};
    /// Of a slot; absent: rates only, which is enough for the capacity region. In continuous time the law of what one
    /// event brings, filled from `rates` and `batches`.
    std::optional<ArrivalLaw> arrivals;
    std::optional<ArrivalSlack> slack;  ///< the family of laws that begins with `arrivals`, if there is one
    Options options;
    std::vector<LyapunovText> lyapunov;  ///< functions of the state that the user wants drifts of; any number
};

class Instance {
  public:
    /// Throws InputError naming the key unless: at least two levels, rates strictly decreasing, above 0, and at most 1
    /// in slots; at least one server, with as many nested groups as there are middle levels; non-empty replica sets of
    /// known servers, each at most once; names that are not empty and unique per kind; rates of a type, if any, one per
    /// level and as those of the levels; rates at servers stated by all types or by none, one entry per server and one
    /// of them present, each as a level's; arrival rates >= 0; costs > 0 with exponents 1 to 16; Lyapunov
    /// functions with different names whose maxima are not empty; orders of preference of known servers, each once; a
    /// slack, if any, above 0, with laws of known types that differ in one factor alone; in continuous time rates of
    /// arrivals above 0, and no slack; batches in continuous time only, a list per type, of sizes from 2 to
    /// max_batch_size, each once, with probabilities above 0 and of a sum of at most 1. Queues of functions are for a
    /// policy's layout to check. Rates of a type that are those of the levels are dropped. Where types state their
    /// rates at servers, levels and rates per level are found from these, whatever `data` has; a type without replicas
    /// gets the servers of its greatest rate. In continuous time the options that say nothing are set to what holds
    /// there, and the sizes of batches are sorted.
    explicit Instance(InstanceData data);

    [[nodiscard]] const std::string& name() const { return data_.name; }
    [[nodiscard]] const InstanceData& data() const { return data_; }
    [[nodiscard]] const Options& options() const { return data_.options; }
    [[nodiscard]] bool continuous() const { return data_.time.has_value(); }
    /// Whether tasks may be interrupted, so that no state has a task in execution.
    [[nodiscard]] bool preemptive() const { return data_.options.preemption == Preemption::resume; }

    [[nodiscard]] IdRange<ServerId> servers() const { return IdRange<ServerId>(data_.servers.size()); }
    [[nodiscard]] IdRange<TaskTypeId> types() const { return IdRange<TaskTypeId>(data_.types.size()); }
    [[nodiscard]] IdRange<Level> levels() const { return IdRange<Level>(data_.levels.size()); }
    [[nodiscard]] const Server& server(ServerId m) const { return data_.servers[m.index()]; }
    [[nodiscard]] const TaskType& type(TaskTypeId t) const { return data_.types[t.index()]; }
    [[nodiscard]] Level local() const { return Level(0); }
    [[nodiscard]] Level remote() const { return Level(data_.levels.size() - 1); }

    /// Whether types state their rates at servers, so that levels are places of rates and not distances.
    [[nodiscard]] bool rates_at_servers() const { return !place_.empty(); }
    [[nodiscard]] bool can_serve(ServerId m, TaskTypeId type) const {
        return place_.empty() || place(type, m) != cannot_serve;
    }
    /// Level of server m for data that lies on server n alone. Requires that levels are distances.
    /// Cost: number of levels.
    [[nodiscard]] Level distance(ServerId m, ServerId n) const;
    /// Level of server m for a task of the type: the best over its replicas, or the place of the rate there. Requires
    /// that m can serve the type. Cost: replicas times levels.
    [[nodiscard]] Level level(TaskTypeId type, ServerId m) const;
    /// Where server m stands in the order of preference of the type: its place in a stated order, which of all that are
    /// not listed is the one after; otherwise its level. Requires that m can serve the type. Cost: logarithmic in the
    /// length of the order.
    [[nodiscard]] std::size_t place_in_order(TaskTypeId type, ServerId m) const;
    /// mu: completion probability per slot at a level, of types without rates of their own.
    [[nodiscard]] const Rational& rate(Level level) const { return data_.levels[level.index()].rate; }
    /// The same of a type.
    [[nodiscard]] const Rational& rate(TaskTypeId type, Level level) const {
        const std::vector<Rational>& own = data_.types[type.index()].rates;
        return own.empty() ? rate(level) : own[level.index()];
    }
    /// 0 where m cannot serve the type.
    [[nodiscard]] const Rational& rate(TaskTypeId type, ServerId m) const {
        return can_serve(m, type) ? rate(type, level(type, m)) : no_rate_;
    }
    /// Whether some type has rates of its own.
    [[nodiscard]] bool rates_by_type() const { return rates_by_type_; }

    // The table of rates: one row for each list of rates that types have, in the order of the first types that have
    // them, one column for each level. A single row of the levels' rates if no type has rates of its own. A type with
    // fewer different rates than another has its least one in the columns beyond, which no server has for it.
    [[nodiscard]] std::size_t rate_rows() const { return first_of_row_.size(); }
    /// Row of a type. Range: 0..rate_rows() - 1.
    [[nodiscard]] std::size_t row(TaskTypeId type) const { return row_.empty() ? 0 : row_[type.index()]; }
    /// The first type of a row.
    [[nodiscard]] TaskTypeId first_type(std::size_t row) const { return first_of_row_[row]; }
    /// The table, row by row.
    [[nodiscard]] std::vector<Rational> rate_table() const;

    /// lambda of a type: mean arrivals in a slot, or per unit of time.
    [[nodiscard]] const Rational& arrival_rate(TaskTypeId type) const { return data_.rates[type.index()]; }
    [[nodiscard]] Rational total_arrival_rate() const;
    /// Whether some type comes in batches.
    [[nodiscard]] bool batches() const { return !data_.batches.empty(); }
    /// How many tasks of the type one arrival brings: sizes from the least, a single task among them where it has a
    /// probability; probabilities sum to 1.
    [[nodiscard]] std::vector<BatchSize> arriving_together(TaskTypeId type) const;
    /// Arrivals of the type per unit of time, each of one task or more: lambda over the mean size of its batches.
    [[nodiscard]] Rational batch_rate(TaskTypeId type) const;
    [[nodiscard]] Rational total_batch_rate() const;
    /// Throws InputError when the instance has rates only.
    [[nodiscard]] const ArrivalLaw& arrivals() const;
    /// Largest rate of server m for a task of any type whose data it holds; 0 if it can serve none. Where levels are
    /// distances, a server may have a queue of such tasks although no type's data lie on it.
    [[nodiscard]] const Rational& fastest(ServerId m) const;
    /// Events per unit of time, Gamma: all arrivals, and completions as if every server ran its fastest task.
    /// Requires continuous time.
    [[nodiscard]] const Rational& event_rate() const { return event_rate_; }
    /// The family of laws that begins with `arrivals`. Throws InputError when the instance states none.
    [[nodiscard]] const ArrivalSlack& slack() const;

    /// Number of the group of server m at a grouping (0: racks), equal for servers of one group.
    /// Requires grouping < levels - 2.
    [[nodiscard]] std::uint32_t group(ServerId m, std::size_t grouping) const {
        return group_[m.index() * groupings_ + grouping];
    }
    [[nodiscard]] std::size_t groupings() const { return groupings_; }

  private:
    void check_levels() const;
    void check_rates_at_servers();
    void rank_rates();
    void check_servers();
    void check_types();
    void check_type_rates(TaskType& type);
    void number_preferences();
    void number_rows();
    void check_arrivals();
    void check_batches();
    void fill_law_of_events();
    void check_time();
    void check_slack() const;
    void check_lyapunov() const;

    static constexpr std::uint32_t cannot_serve = UINT32_MAX;
    [[nodiscard]] std::uint32_t place(TaskTypeId type, ServerId m) const {
        return place_[type.index() * data_.servers.size() + m.index()];
    }

    InstanceData data_;
    bool rates_by_type_ = false;
    std::vector<std::uint32_t> place_;      // level by type and server; empty where levels are distances
    std::vector<std::uint32_t> row_;        // by type; empty without rates of types
    std::vector<TaskTypeId> first_of_row_;  // by row
    std::vector<std::vector<std::pair<ServerId, std::size_t>>> preference_;  // by type: places by server, ascending
    Rational no_rate_;
    Rational event_rate_;
    std::size_t groupings_ = 0;
    std::vector<std::uint32_t> group_;  // server-major, innermost grouping first
};

/// Servers by their distance from some: these, then the groups around them from the innermost outwards, then all
/// others, each in the order of the ids. Cost: servers times groupings.
[[nodiscard]] std::vector<ServerId> nearest_first(const Instance& instance, std::span<const ServerId> centre);

/// Throws InputError naming `time` where it is continuous: `what` is about slots. Such as "the bound on every policy".
void require_slots(const Instance& instance, std::string_view what);

}  // namespace schedproof::queueing
