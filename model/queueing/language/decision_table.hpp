/// Decisions by table: which queue each idle server turns to, by how many tasks of each queue wait and are in
/// execution.
///
/// Written as `"N S Q words"` for S servers, Q queues and at most N tasks that wait. There is a word for every list of
/// numbers of tasks in execution, one per queue, whose sum is below S, in lexicographic order, and within it for each
/// server. A word has a letter for every list of numbers of waiting tasks, one per queue, whose sum is at most N, in
/// lexicographic order: a queue's number as 0 to 9, a to z, or `.` for none.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/ids.hpp"

namespace schedproof::queueing::language {

class DecisionTable {
  public:
    static constexpr std::uint32_t most_queues = 36, most_servers = 16, most_waiting = 1000;
    static constexpr std::size_t most_letters = 40'000;

    /// No server turns to any queue. Throws InputError past the limits above.
    DecisionTable(std::uint32_t most, std::uint32_t servers, std::uint32_t queues);
    /// Throws InputError unless it is written as above.
    [[nodiscard]] static DecisionTable read(std::string_view text);

    /// Rules hold a table by its number: equal tables have one. Kept until the program ends, as rules may be.
    [[nodiscard]] static std::int64_t kept(std::string_view text);
    [[nodiscard]] static const DecisionTable& numbered(std::int64_t number);

    [[nodiscard]] std::uint32_t most() const { return most_; }
    [[nodiscard]] std::uint32_t servers() const { return servers_; }
    [[nodiscard]] std::uint32_t queues() const { return queues_; }
    [[nodiscard]] std::string text() const;
    /// Throws InputError when the cluster has other numbers of servers or queues, or a server is sent to a queue that
    /// it cannot serve.
    void require_fits(std::size_t servers, std::size_t queues,
                      const std::function<bool(ServerId, QueueId)>& serves) const;

    /// Numbers of tasks, one per queue. Requires: those in execution sum to less than the servers, those that wait to
    /// at most `most`.
    [[nodiscard]] std::optional<QueueId> named(ServerId server, std::span<const std::uint32_t> executing,
                                               std::span<const std::uint32_t> waiting) const;
    void name(ServerId server, std::span<const std::uint32_t> executing, std::span<const std::uint32_t> waiting,
              std::optional<QueueId> queue);

  private:
    [[nodiscard]] std::size_t place(ServerId server, std::span<const std::uint32_t> executing,
                                    std::span<const std::uint32_t> waiting) const;

    std::uint32_t most_, servers_, queues_;
    std::size_t word_ = 0;  ///< letters of a word
    std::string letters_;   ///< of all words
};

}  // namespace schedproof::queueing::language
