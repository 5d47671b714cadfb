/// Options of `simulate` for the queueing family.
#include "experiments/command/core/options.hpp"
#include "experiments/command/simulate/simulate.hpp"

namespace schedproof::command {

void add_queueing_options(CLI::App& command, QueueingSimulation& o) {
    auto* instance =
        command.add_option("INSTANCE", o.instance, "of queueing policies: instance file (TOML or JSON), or --servers");
    auto* servers = command
                        .add_option("--servers", o.servers,
                                    "of queueing policies: a cluster of so many, where every task draws its replicas")
                        ->excludes(instance);
    command.add_option("--data-servers", o.data_servers, "only the first so many servers hold data (default: all)")
        ->needs(servers);
    command.add_option("--replicas", o.replicas, "servers that hold a task's data, drawn uniformly")
        ->needs(servers)
        ->capture_default_str();
    command.add_option("--rack-size", o.rack_size, "servers in a rack; 0: no racks, two levels")
        ->needs(servers)
        ->capture_default_str();
    command
        .add_option("--service-rates", o.service_rates,
                    "completions per slot by level, local first (default: 4/5,1/5, with racks 4/5,1/2,1/5)")
        ->needs(servers);
    command.add_option("--rate", o.rate, "mean number of tasks that arrive in a slot, or in a unit of time")
        ->needs(servers);
    command.add_option("--arrivals", o.arrivals, "law of that number")
        ->check(one_of({"poisson", "fixed"}))
        ->needs(servers)
        ->capture_default_str();
    command
        .add_option("--routing", o.routing,
                    "what a task sees: the queues at the start of the slot (batch), or also the tasks before it "
                    "(default: as the instance says; sequential with --servers)")
        ->check(one_of({"batch", "sequential"}));
    command
        .add_option("--counting", o.counting,
                    "which tasks of a queue policies count: also those in execution (in-system), or only those that "
                    "wait (default: as the instance says; in-system with --servers)")
        ->check(one_of({"in-system", "waiting"}));
    command.add_flag("--counts-only", o.counts_only, "no delays of tasks: faster");
    auto* total = command.add_option("--cap-total", o.cap_total,
                                     "turn a slot's arrivals away when more than so many tasks would be in the system");
    command.add_option("--cap-queue", o.cap_queue, "turn a task away when its queue holds so many")->excludes(total);
    add_event_options(command, o.events);
}

}  // namespace schedproof::command
