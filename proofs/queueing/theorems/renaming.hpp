/// Other names for servers and queues, and classes of what they make one of another.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/queueing/instance.hpp"
#include "model/queueing/layout.hpp"
#include "model/queueing/state.hpp"

namespace schedproof::queueing {

/// By old index the new one.
struct Renaming {
    std::vector<std::uint32_t> server, queue;
    friend bool operator==(const Renaming&, const Renaming&) = default;
};
/// Every one keeps its name.
[[nodiscard]] Renaming same_names(std::size_t servers, std::size_t queues);
[[nodiscard]] Renaming after(const Renaming& first, const Renaming& second);
/// What a server does, by its new name. Requires: `by` renames the queue.
[[nodiscard]] Service renamed(const Service& service, const Renaming& by);
/// Whether it names each of so many once.
[[nodiscard]] bool is_permutation_of(const std::vector<std::uint32_t>& image, std::size_t size);

/// The renaming of servers with that of their queues; queues of types go to types that the renamed servers hold at the
/// same levels. Nothing where there are no such types.
[[nodiscard]] std::optional<Renaming> renaming_of(const Instance& instance, const Layout& layout,
                                                  const std::vector<std::uint32_t>& server);

/// Classes of numbers, each named by its least.
class Classes {
  public:
    explicit Classes(std::uint64_t size);
    [[nodiscard]] std::uint32_t least(std::uint32_t i);
    void join(std::uint32_t i, std::uint32_t j);

  private:
    std::vector<std::uint32_t> parent_;
};

}  // namespace schedproof::queueing
