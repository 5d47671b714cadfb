/// Prompts by blocks, and what the readers of requests share. Private to these.
#pragma once

#include <fmt/core.h>

#include <cstddef>
#include <istream>
#include <string>
#include <string_view>
#include <utility>

#include "experiments/input/requests/request_trace.hpp"

namespace schedproof::input::detail {

/// Takes requests one after another.
class RequestCollector {
  public:
    RequestCollector(RequestTrace& trace, const std::string& file) : trace_(trace), file_(file) {}

    /// Times as the file has them. Throws InputError at this line for one that goes back, for too many requests, or
    /// times of a hit and a miss that are none.
    void add(TracedRequest request, std::size_t line);
    void note(std::string sentence) { trace_.notes.push_back(std::move(sentence)); }
    void passed_over(std::size_t requests, std::string_view why) {
        if (requests > 0) note(fmt::format("passed over, since they {}: {} requests", why, requests));
    }

  private:
    RequestTrace& trace_;
    const std::string& file_;
    double start_ = 0;
};

/// Requests of the format `mooncake`.
void read_blocks(std::istream& in, const std::string& file, const RequestCosts& costs, RequestCollector& into);

}  // namespace schedproof::input::detail
