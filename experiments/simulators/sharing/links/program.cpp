/// `schedproof-links`: transfers over the links of a cluster, in SimGrid's fluid model.
///
/// The only source that knows SimGrid; the program is built where SimGrid is found. Each node has a link in each
/// direction, without latency. A transfer takes from that of the node that sends and that of the node that receives,
/// and those that run share the links by max-min fairness, anew at each start and end. A unit of time is a tick, and a
/// link alone carries a unit of data in each.
///
/// The driver (fluid_network.cpp) tells what happens by lines on standard input, and the answer is one line each:
///     cluster NODES SIZE              a run begins, at 0; every transfer is of SIZE
///     start ID FROM TO NOW            -> NEXT
///     cancel ID NOW                   -> NEXT
///     take NOW                        -> NEXT ID...    the transfers that have ended
///     end                             the run is over
/// NEXT is the tick at which the next transfer has ended if none starts before, -1 without one. SimGrid knows one run a
/// process, and its clock never goes back; so each run has a copy of this process, made once SimGrid is loaded.
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <simgrid/s4u.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace s4u = simgrid::s4u;

/// An end so soon after a tick counts as one at it: sums of shares are rounded.
constexpr double close = 1e-3;

/// The next line of standard input, read byte by byte: what follows may be for another process.
bool next_line(std::string& line) {
    line.clear();
    char c = 0;
    while (::read(STDIN_FILENO, &c, 1) == 1) {
        if (c == '\n') return true;
        line += c;
    }
    return false;
}

/// A number of the driver's line; ends the process where there is none.
std::int64_t number_of(std::istream& line) {
    std::int64_t number = 0;
    if (line >> number) return number;
    std::cerr << "schedproof-links: expected a number; this program is called by schedproof\n";
    std::_Exit(2);
}

class Links {
  public:
    Links(s4u::Engine& engine, std::size_t nodes, std::uint64_t size) : engine_(engine), size_(size) {
        s4u::NetZone* zone = s4u::create_star_zone("cluster");
        for (std::size_t n = 0; n < nodes; ++n) {
            const std::string name = std::to_string(n);
            hosts_.push_back(zone->create_host("node " + name, 1.0)->seal());
            const s4u::Link* out = zone->create_link("out " + name, 1.0)->set_latency(0.0)->seal();
            const s4u::Link* in = zone->create_link("in " + name, 1.0)->set_latency(0.0)->seal();
            auto* node = hosts_.back()->get_netpoint();
            zone->add_route(node, nullptr, nullptr, nullptr, {s4u::LinkInRoute(out)}, false);
            zone->add_route(nullptr, node, nullptr, nullptr, {s4u::LinkInRoute(in)}, false);
        }
        zone->seal();
    }

    /// Answers the driver until it ends the run.
    void serve() {
        for (std::string line; next_line(line) && line != "end";) {
            std::istringstream words(line);
            std::string what;
            words >> what;
            std::string ended;
            if (what == "start") {
                const std::int64_t id = number_of(words);
                const auto from = static_cast<std::size_t>(number_of(words)),
                           to = static_cast<std::size_t>(number_of(words));
                s4u::this_actor::sleep_until(static_cast<double>(number_of(words)));
                running_[id] = s4u::Comm::sendto_async(hosts_.at(from), hosts_.at(to), size_);
            } else if (what == "cancel") {
                const std::int64_t id = number_of(words);
                s4u::this_actor::sleep_until(static_cast<double>(number_of(words)));
                running_.at(id)->cancel();
                running_.erase(id);
            } else {
                ended = ended_by(static_cast<double>(number_of(words)));
            }
            std::cout << next() << ended << std::endl;
        }
    }
    [[nodiscard]] s4u::Host* driver() const { return hosts_.front(); }

  private:
    /// The time of the next end, if nothing starts before; negative without one.
    [[nodiscard]] double next_end() const {
        double least = -1;
        for (simgrid::kernel::resource::Model* model : engine_.get_all_models()) {
            const double in = model->next_occurring_event(s4u::Engine::get_clock());
            if (in >= 0 && (least < 0 || in < least)) least = in;
        }
        return least < 0 ? least : s4u::Engine::get_clock() + least;
    }
    [[nodiscard]] std::int64_t next() const {
        if (running_.empty()) return -1;
        return static_cast<std::int64_t>(std::ceil(next_end() - close));
    }
    /// The transfers that have ended at `now`, by id.
    std::string ended_by(double now) {
        std::set<std::int64_t> ended;
        const auto take = [&](std::int64_t id) {
            running_.erase(id);
            ended.insert(id);
        };
        while (true) {
            std::vector<s4u::CommPtr> all;
            std::vector<std::int64_t> ids;
            const auto before = running_;
            for (const auto& [id, transfer] : before) {
                if (transfer->test()) {  // of several that end together, which the next end leaves out
                    take(id);
                    continue;
                }
                ids.push_back(id);
                all.push_back(transfer);
            }
            if (all.empty() || next_end() > now + close) break;
            take(ids.at(static_cast<std::size_t>(s4u::Comm::wait_any(all))));
        }
        std::string text;
        for (const std::int64_t id : ended) text += ' ' + std::to_string(id);
        return text;
    }

    s4u::Engine& engine_;
    std::uint64_t size_;
    std::vector<s4u::Host*> hosts_;
    std::map<std::int64_t, s4u::CommPtr> running_;
};

/// One run, whose first line was read.
void simulate(std::size_t nodes, std::uint64_t size) {
    std::vector<std::string> words{"schedproof-links", "--log=root.thresh:error", "--cfg=network/model:CM02",
                                   "--cfg=network/crosstraffic:0"};
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    int count = static_cast<int>(words.size());
    s4u::Engine engine(&count, arguments.data());
    Links links(engine, nodes, size);
    s4u::Actor::create("driver", links.driver(), [&] { links.serve(); });
    engine.run();
}

}  // namespace

int main() {
    for (std::string line; next_line(line);) {
        std::istringstream words(line);
        std::string what;
        words >> what;
        const auto nodes = static_cast<std::size_t>(number_of(words));
        const auto size = static_cast<std::uint64_t>(number_of(words));
        const pid_t run = ::fork();
        if (run < 0) return 2;
        if (run == 0) {
            simulate(nodes, size);
            std::cout.flush();
            ::_exit(0);
        }
        int status = 0;
        if (::waitpid(run, &status, 0) != run || status != 0) return 2;
    }
    return 0;
}
