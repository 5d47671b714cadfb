/// Which index answers each question of a policy's rules, and what follows for who needs to be asked.
///
/// A rule is a tree of primitives. A question is a node of it, such as argmin(local, length), and what may answer it
/// follows from its set and its key alone: the rule around it makes no difference. So rules that are composed of
/// questions with an index, by first_of, when or where, are answered from the indexes of their parts. The other nodes
/// are evaluated as in the exact modes, on the sets and values that indexes give, where there are some.
///
/// The plan is a function of the policy's rules, its queues and the sizes of the instance, and of nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/queueing/any_policy.hpp"

namespace schedproof::simulation {

enum class Question : std::uint8_t {
    scan,  ///< none that is known: evaluated
    // Sets of few queues, or any member of a set.
    own,            ///< of a server its only queue for local tasks
    own_rows,       ///< of a server its queues for local tasks, one for each row of rates
    nonempty_own,   ///< `own`, if that has work
    most_local,     ///< of a server its queues with work of the most local level
    most_behind,    ///< furthest_behind
    common,         ///< the queue of no server
    own_type,       ///< the queue of a task's type
    planned,        ///< one that the plan draws
    local_servers,  ///< the queues of the servers with a task's data
    all_servers,    ///< those of all servers
    sample,         ///< some of these two, drawn
    // The best of many.
    shortest_local,            ///< argmin(local, length)
    shortest_local_server,     ///< argmin(local, server_length), of several queues a server
    shortest_local_or_common,  ///< argmin(local | common, length)
    shortest_server,           ///< argmin over all servers' queues, length
    longest_server,            ///< argmax over all servers' queues, length
    least_weighted_workload,   ///< argmin(servers, server_workload / rate)
    longest,                   ///< argmax(nonempty(reachable), length)
    largest_weight,            ///< argmax(nonempty(reachable), rate * length)
    largest_marginal_cost,     ///< argmax(nonempty(reachable), rate * marginal_cost)
    // Made of the answers of children.
    first_of,
    when,
    where,           ///< a test of the candidate alone
    where_by_level,  ///< the same of `longest` or `largest_weight`, whose members of one level pass or fail together
    // Values over a set.
    of_one_queue,
    least_length,
    greatest_length,
    total_length,
    mean_length,
    least_workload,  ///< least(servers, server_workload / rate)
};
[[nodiscard]] constexpr bool is_value(Question q) { return q >= Question::of_one_queue; }
/// Whether the plan asks the view, rather than children or nothing.
[[nodiscard]] constexpr bool is_set(Question q) { return q > Question::scan && q < Question::first_of; }

/// A product of rates and one quantity, of the candidate or, as a value, of one queue.
struct PlainKey {
    using Op = queueing::language::Op;
    Op quantity = Op::constant;         ///< length, servable or constant
    Question of = Question::scan;       ///< own, common or own_type; scan: the candidate
    std::int64_t constant = 0, by = 1;  ///< where the quantity is constant; what all is multiplied by
    std::array<Op, 4> factors{};        ///< times_rate, over_rate, times_local, times_remote
    std::uint8_t count = 0;             ///< of factors

    /// How often the candidate's own rate is a factor, less how often it is a divisor.
    [[nodiscard]] int rates() const;
};
/// A comparison of two such keys.
struct LengthTest {
    PlainKey first, second;
    queueing::language::Op is = queueing::language::Op::equal;  ///< less, less_equal or equal
};

/// Whether the test holds of a candidate from some length on. False for nullptr.
[[nodiscard]] bool is_threshold(const LengthTest* test);

/// A rule with what answers each of its nodes.
class RulePlan {
  public:
    RulePlan(const queueing::language::Tree& rule, const queueing::Layout& layout);

    /// The rule, without what makes no difference to its answer.
    [[nodiscard]] const queueing::language::Tree& rule() const { return rule_; }
    [[nodiscard]] Question operator[](std::size_t node) const { return by_[node]; }
    [[nodiscard]] Question root() const { return by_[rule_.root()]; }
    [[nodiscard]] std::size_t child(std::size_t node, std::size_t k) const { return children_[node][k]; }
    /// The test at a node, where it is a plain one; else nullptr.
    [[nodiscard]] const LengthTest* test(std::size_t node) const {
        return test_of_[node] == 0 ? nullptr : &tests_[test_of_[node] - 1U];
    }

  private:
    /// Marks what is made of the answers of children: from the root down, for elsewhere sets are listed.
    void compose();

    queueing::language::Tree rule_;
    std::array<Question, queueing::language::Tree::capacity> by_{};
    std::array<std::array<std::uint8_t, 3>, queueing::language::Tree::capacity> children_{};
    std::vector<LengthTest> tests_;
    std::array<std::uint8_t, queueing::language::Tree::capacity> test_of_{};  // its place there and 1; 0: none
};

/// Whose queues a server may ever turn to, as far as the rule tells.
enum class Sight : std::uint8_t { own, own_and_common, any };

struct QuestionPlan {
    QuestionPlan(const queueing::Instance& instance, const queueing::AnyPolicy& policy);

    RulePlan route, serve;
    Sight sight = Sight::any;
    /// Whether idle servers whose own queues are empty give the same answer, these queues apart, where they are as near
    /// to the queues that have tasks: then one of them speaks for all. The rule neither draws nor depends on how
    /// servers are numbered, so exchanging the servers exchanges their answers.
    bool alike = false;
    /// Whether an idle server may change its answer by nothing but an arrival nearby or, if `reconsiders`, because a
    /// queue becomes shorter: the longest anywhere may be too far away, and the next longest near enough.
    bool only_arrivals_wake = false, reconsiders = true;

    /// The questions in the order of their mention, each with what answers it, such as `order by length` or `scan`.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> questions() const;
    /// How many are answered by what, such as `order by length (2 questions), scan (1)`.
    [[nodiscard]] std::string text() const;
    /// Why the policy is simulated slowly, as a sentence for its user; empty when it is not.
    [[nodiscard]] std::string why_slow() const;

  private:
    /// The most replicas of a type, and whether types have rates of their own.
    std::size_t replicas_ = 0;
    bool own_rates_ = false;
    bool unlike_ = false;  // rates at servers
};

/// So many queues are looked at one by one.
inline constexpr std::size_t most_scanned = 16;

}  // namespace schedproof::simulation
