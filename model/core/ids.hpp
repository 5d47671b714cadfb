/// Strong ids: a server is not a queue, and the compiler knows.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "model/core/errors.hpp"

namespace schedproof {

/// A 0-based index into one kind of thing. `Tag` names the kind.
template <class Tag>
class Id {
  public:
    constexpr Id() = default;
    /// Throws LimitExceeded for an index of 2^32 or more.
    constexpr explicit Id(std::size_t index) : index_(static_cast<std::uint32_t>(index)) {
        if (index_ != index) throw LimitExceeded("ids", "an index does not fit 32 bits");
    }

    [[nodiscard]] constexpr std::size_t index() const { return index_; }
    friend constexpr auto operator<=>(const Id&, const Id&) = default;

  private:
    std::uint32_t index_ = 0;
};

using ServerId = Id<struct ServerTag>;
using TaskTypeId = Id<struct TaskTypeTag>;
using QueueId = Id<struct QueueTag>;
using CoreId = Id<struct CoreTag>;
using TaskId = Id<struct TaskTag>;
using JobId = Id<struct JobTag>;

/// Locality level of a server for a task type: 0 is local, the last is remote. Unit: position in the instance's list
/// of levels.
using Level = Id<struct LevelTag>;

/// Every id from 0 to count-1, or from `first` to the one before `end`, in order.
template <class IdType>
class IdRange {
  public:
    class Iterator {
      public:
        constexpr explicit Iterator(std::size_t index) : index_(index) {}
        constexpr IdType operator*() const { return IdType(index_); }
        constexpr Iterator& operator++() {
            ++index_;
            return *this;
        }
        friend constexpr bool operator==(const Iterator&, const Iterator&) = default;

      private:
        std::size_t index_;
    };
    constexpr explicit IdRange(std::size_t count) : end_(count) {}
    constexpr IdRange(std::size_t first, std::size_t end) : first_(first), end_(end) {}
    [[nodiscard]] constexpr Iterator begin() const { return Iterator(first_); }
    [[nodiscard]] constexpr Iterator end() const { return Iterator(end_); }
    [[nodiscard]] constexpr std::size_t size() const { return end_ - first_; }

  private:
    std::size_t first_ = 0;
    std::size_t end_;
};

}  // namespace schedproof

template <class Tag>
struct std::hash<schedproof::Id<Tag>> {
    std::size_t operator()(const schedproof::Id<Tag>& id) const noexcept { return id.index(); }
};
