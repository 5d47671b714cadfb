/// Options of the assignment family: `assign` and `generate assignment`.
#include "experiments/command/core/options.hpp"

namespace schedproof::command {

namespace {

void add_assign(CLI::App& app, AssignRequest& r, int& exit_code) {
    CLI::App& assign = add_command(
        app, r, exit_code, "assign", "assign tasks to cores: makespan and locality of each scheduler, and its map",
        "schedproof assign --placement experiments/instances/example-fsck.txt --path /data/clicks "
        "--loads experiments/instances/assignment/example-loads.csv -p dyndloff --map map.csv");
    auto* instance = assign.add_option("INSTANCE", r.instance, "instance file (TOML or JSON), - for standard input");
    auto* placement =
        assign
            .add_option("--placement", r.placement,
                        "where data lie: what `hdfs fsck PATH -files -blocks -locations -racks` printed, or pairs "
                        "TASK SERVER; - for standard input")
            ->excludes(instance);
    const auto with_placement = [&](CLI::Option* option) { option->needs(placement); };
    with_placement(assign.add_option("--loads", r.loads,
                                     "initial loads in tasks: CSV with the header server,core,load or "
                                     "server,cores,load, or pairs CORE LOAD;"));
    with_placement(assign
                       .add_option("--cores", r.cores,
                                   "cores of servers without loads, which are idle; cores per server where "
                                   "--loads numbers them through")
                       ->check(CLI::Range(1, 1'000'000)));
    with_placement(assign.add_option("--path", r.path, "of a listing: only files at or below this path"));
    with_placement(assign.add_option("--by", r.by, "of a listing: what a server is, a host, or a host and port")
                       ->check(one_of({"host", "port"}))
                       ->capture_default_str());
    with_placement(
        assign.add_flag("--erasure-coded", r.erasure_coded, "count the cells of erasure-coded blocks as replicas"));
    with_placement(assign.add_flag("--incomplete", r.incomplete,
                                   "take a listing that is cut or counts other blocks than it lists"));
    with_placement(assign.add_option("--cost", r.cost,
                                     "cost of each of n remote tasks of a server: affine:THETA, capped:THETA,CAP, "
                                     "table:COST,COST,... or step:FROM=COST,..."));
    with_placement(assign.add_option("--theta", r.theta,
                                     "the cost is 1 + THETA min(n, cores of the server); the default, with THETA 1"));
    assign
        .add_option("-p,--policy", r.schedulers,
                    "a scheduler of `schedproof list schedulers`; may be repeated (default: all, but slow ones on "
                    "many tasks)")
        ->allow_extra_args(false);
    assign.add_option("--map", r.map, "write the scheduler's map to this file, .csv or .json");
    assign.add_option("--wait", r.wait, "W of delay and dyndlon, an exact number of tasks' time (default 3)");
    assign.add_option("--threshold", r.threshold, "length of queue from which on ltfpa helps (default: by its price)");
    assign.add_option("--timeout", r.timeout, "stop hta after this many seconds");
    assign.add_option("--job-order", r.job_order, "in which order online schedulers offer a free core to jobs")
        ->check(one_of({"fifo", "fair"}))
        ->capture_default_str();
    assign.add_flag("--random-picks", r.random_picks,
                    "online schedulers pick among tasks at random (default: the first)");
    assign.add_option("--seed", r.seed, "seed of random picks")->capture_default_str();
    add_destination(assign, r.to);
}

void add_generate(CLI::App& app, GenerateAssignmentRequest& r, int& exit_code) {
    CLI::App& generate = *app.add_subcommand("generate", "make random instances to order");
    generate.require_subcommand(1);
    generate.footer("Example:\n  schedproof generate assignment --tasks 1000 --servers 100 --cores 10 -o random.json");
    CLI::App& command =
        add_command(generate, r, exit_code, "assignment",
                    "the paper's random instances: loads uniform on [0, alpha server + beta], replicas uniform",
                    "schedproof generate assignment --tasks 1000000 --servers 10000 --cores 40 --beta 1000 "
                    "--placement placement.txt --loads loads.txt");
    command.add_option("--tasks", r.tasks, "number of tasks")->capture_default_str();
    command.add_option("--servers", r.servers, "number of servers")->capture_default_str();
    command.add_option("--cores", r.cores, "cores of each server; also the cap of the cost")->capture_default_str();
    command.add_option("--replicas", r.replicas, "different servers that hold a task's data")->capture_default_str();
    command.add_option("--alpha", r.alpha, "how much the largest load grows from server to server")
        ->capture_default_str();
    command.add_option("--beta", r.beta, "largest load of the first server's cores")->capture_default_str();
    command.add_option("--theta", r.theta, "network factor: g(n) = 1 + theta min(n, cores)")->capture_default_str();
    command.add_option("--ticks", r.ticks, "loads are multiples of 1/TICKS")->capture_default_str();
    command.add_option("--seed", r.seed, "seed of all draws")->capture_default_str();
    auto* placement =
        command.add_option("--placement", r.placement,
                           "write the data set of placements to this file, - for standard output; no instance");
    auto* loads = command.add_option("--loads", r.loads,
                                     "write the data set of loads to this file, - for standard output; no instance");
    command.add_option("--shard", r.shard,
                       "write part i of n, i/n, of the data sets; parts joined in order are the whole");
    command.add_option("--format", r.to.format, "form of the instance: text is TOML, unless -o ends in .json")
        ->check(one_of({"text", "json"}))
        ->capture_default_str();
    command.add_option("-o,--output", r.to.path, "file for the instance, - for standard output")
        ->capture_default_str()
        ->excludes(placement)
        ->excludes(loads);
}

}  // namespace

void add_assignment(CLI::App& app, AssignmentRequests& r, int& exit_code) {
    add_assign(app, r.assign, exit_code);
    add_generate(app, r.generate, exit_code);
}

}  // namespace schedproof::command
