/// From a trace of requests to an instance of the queueing family, and the tasks that come to it.
///
/// Each key has its data at servers that its name decides, the same on every machine; keys with data at the same
/// servers are one type, since servers cannot tell them apart. Requests without a key are a type `single`, whose data
/// is everywhere: no server has an advantage, and none is a hit. A type's arrival rate is that of the trace, to six
/// digits; rates of service are one over the mean times, to four digits, of a hit, of a miss and of a request without a
/// key. A task's size is its time at a miss in units of that mean, so the time that a hit saves is the mean over all
/// requests, not each request's own.
#pragma once

#include <cstddef>
#include <istream>
#include <string>
#include <vector>

#include "experiments/input/requests/request_trace.hpp"
#include "model/queueing/instance.hpp"

namespace schedproof::input {

/// A recorded task of a known type.
struct TypedTask {
    double time = 0;  ///< Unit: second
    TaskTypeId type;
    double size = 1;               ///< time on a server of rate 1. Unit: second
    double tokens = 0, saved = 0;  ///< of its prompt, and of these at a hit; 0 where unknown
    friend bool operator==(const TypedTask&, const TypedTask&) = default;
};

struct RequestCluster {
    std::string name = "requests", source = {};
    std::size_t servers = 8;   ///< named s0, s1, ...
    std::size_t replicas = 1;  ///< servers that keep the data of a key, at most all
};

struct ImportedRequests {
    queueing::InstanceData data;  ///< in continuous time, in seconds
    std::vector<TypedTask> tasks;
};

/// Throws InputError where the trace takes no time, or a miss takes no longer than a hit.
[[nodiscard]] ImportedRequests import_requests(const RequestTrace& trace, const RequestCluster& cluster);

/// CSV `time,type,size,tokens,saved`, types by name.
[[nodiscard]] std::string write_typed_tasks(const queueing::Instance& instance, const std::vector<TypedTask>& tasks);
/// The same back, `tokens` and `saved` optional, columns in any order. Throws InputError with file, line, column and
/// what was expected: an unknown type, times that go back, a size of 0, more saved than there are tokens, no task.
[[nodiscard]] std::vector<TypedTask> read_typed_tasks(std::istream& in, const std::string& file,
                                                      const queueing::Instance& instance);

}  // namespace schedproof::input
