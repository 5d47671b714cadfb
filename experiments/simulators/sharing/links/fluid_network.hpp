/// Transfers that share the links of nodes as fluids: what the sharing simulator asks of SimGrid.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "model/sharing/cluster.hpp"

namespace schedproof::simulation {

/// The program that simulates links: `schedproof-links` beside this one. None where it was not built, since it needs
/// SimGrid.
[[nodiscard]] std::optional<std::string> links_program();

class LinksProcess;
class FluidNetwork;

/// The transfers of one run, each named by the task slot that it is for. Times do not fall from call to call, and
/// `take` is called at each time that `next` names before anything starts after it.
/// Throws Error when the program that simulates them has ended.
class FluidLinks {
  public:
    FluidLinks(const FluidNetwork& network, std::unique_ptr<LinksProcess> process);
    ~FluidLinks();
    FluidLinks(const FluidLinks&) = delete;
    FluidLinks& operator=(const FluidLinks&) = delete;

    /// The tick at which the next transfer has ended if none starts before; the largest tick without one.
    [[nodiscard]] sharing::Ticks next() const { return next_; }
    /// Requires two nodes.
    void start(sharing::Ticks now, sharing::SlotId s, sharing::NodeId from, sharing::NodeId to);
    void cancel(sharing::Ticks now, sharing::SlotId s);
    /// The transfers that have ended now, by slot.
    [[nodiscard]] std::vector<sharing::SlotId> take(sharing::Ticks now);

  private:
    std::vector<sharing::SlotId> ask(const std::string& line);

    const FluidNetwork& network_;
    std::unique_ptr<LinksProcess> process_;
    sharing::Ticks next_;
};

/// The links of a cluster, for any number of runs, which may run at the same time.
class FluidNetwork {
  public:
    /// `transfer`: what one takes that shares no link. Unit: tick.
    FluidNetwork(std::string program, std::size_t nodes, sharing::Ticks transfer);
    ~FluidNetwork();
    FluidNetwork(const FluidNetwork&) = delete;
    FluidNetwork& operator=(const FluidNetwork&) = delete;

    /// The links of a run of their own, at time 0 and without transfers. Lives no longer than this. Throws Error when
    /// the program cannot be started.
    [[nodiscard]] std::unique_ptr<FluidLinks> open() const;

  private:
    friend class FluidLinks;
    void put_back(std::unique_ptr<LinksProcess> process) const;

    std::string program_;
    std::size_t nodes_;
    sharing::Ticks transfer_;
    mutable std::mutex lock_;
    mutable std::vector<std::unique_ptr<LinksProcess>> idle_;
};

}  // namespace schedproof::simulation
