/// How queues are arranged, by name: all that a rule says of them.
#pragma once

#include <cstdint>
#include <string_view>

namespace schedproof::queueing {

/// How the queues of a policy correspond to servers and types.
enum class Arrangement : std::uint8_t {
    per_server,             ///< queue m belongs to server m
    per_server_and_common,  ///< the same, and a last queue common to all servers
    per_server_and_level,   ///< a server has a queue for each level of its tasks, and for each row of rates
    per_type,               ///< queue t holds the tasks of type t
    single,                 ///< one queue
};

/// The name of the arrangement in the language.
[[nodiscard]] std::string_view to_string(Arrangement arrangement);

}  // namespace schedproof::queueing
