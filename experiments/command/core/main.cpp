/// The schedproof command: options in, requests out.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "experiments/command/core/options.hpp"
#include "experiments/command/delay/delay.hpp"
#include "experiments/command/dual/dual.hpp"
#include "experiments/command/flowtime/flowtime.hpp"
#include "experiments/command/simulate/simulate.hpp"
#include "experiments/command/sweep/sweep.hpp"
#include "experiments/command/worst/worst.hpp"
#include "model/base/nearest.hpp"
#include "model/core/errors.hpp"

namespace schedproof::command {
namespace {

enum ExitCode { as_expected = 0, refuted = 1, usage = 2, unknown = 3, conflict = 4 };

void add_system(CLI::App& command, SystemRequest& system) {
    add_instance_and_policy(command, system);
    command.add_option("--cap-total", system.cap_total,
                       "truncate: lose a slot's arrivals that would lift the sum of all queues above N");
    command.add_option("--cap-queue", system.cap_queue, "truncate: lose a task whose queue already holds N tasks");
}

void add_state(CLI::App& command, StateRequest& state) {
    command.add_option("--queues", state.queues,
                       "tasks in each queue, in order: 2,0,1 (A+B where a queue lists waiting types)");
    command.add_option("--serving", state.serving,
                       "what each server does, in order: idle,own,common (queue@level where needed)");
    command.add_option("--counters", state.counters, "counters of a policy that keeps some, in order: 0,3,-2");
}

struct Requests {
    ListRequest list;
    ShowRequest show;
    KernelRequest kernel;
    ChainRequest chain;
    CapacityRequest capacity;
    GraphRequest graph;
    ImportRequest import;
    CheckRequest check;
    ProveRequests prove;
    CertifyRequest certify;
    HeavyTrafficRequest heavy_traffic;
    AssignmentRequests assignment;
    OptimumRequests optima;
    DualRequest dual;
    RedundancyRequests redundancy;
    DelayRequest delay;
    SimulateRequest simulate;
    SweepRequests sweeps;
};

void add_heavy_traffic(CLI::App& app, HeavyTrafficRequest& request, int& exit_code) {
    CLI::App& heavy = add_command(app, request, exit_code, "heavy-traffic",
                                  "how long queues must be near the boundary of the capacity region",
                                  "schedproof heavy-traffic experiments/instances/heavy-traffic-eps01.toml "
                                  "-p wang-jsq-maxweight --cap-total 10");
    heavy.add_option("INSTANCE", request.instance, "instance file (TOML or JSON), - for standard input")->required();
    heavy.add_option("-p,--policy", request.policy,
                     "also the collapse ray of this policy and, with a cap, exact values of its truncated chain");
    heavy.add_option("--cap-total", request.cap_total,
                     "truncate: lose a slot's arrivals that would lift the sum of all queues above N");
    heavy.add_option("--cap-queue", request.cap_queue, "truncate: lose a task whose queue already holds N tasks");
    heavy.add_option("--max-states", request.max_states, "stop with exit code 3 beyond this many states")
        ->capture_default_str();
    add_destination(heavy, request.to);
}

void add_certify(CLI::App& app, CertifyRequest& request, int& exit_code) {
    CLI::App& certify = add_command(app, request, exit_code, "certify", "check certificates without any solver",
                                    "schedproof certify drift.json");
    certify.add_option("FILE", request.files, "certificate files, - for standard input")->required();
    certify.add_option("--instance", request.instance,
                       "instance of certificates that only name theirs: those of `capacity --certificate`");
    add_destination(certify, request.to);
}

void add_check(CLI::App& app, CheckRequest& r, int& exit_code) {
    CLI::App& check = add_command(app, r, exit_code, "check", "run the claims and print the verdicts",
                                  "schedproof check queueing.route-minimises -p jsq-maxweight --evidence evidence");
    check.add_option("CLAIM", r.claims, "claims, prefixes or patterns with *; see `schedproof list claims` (all)");
    check.add_option("--family", r.family, "only claims of this family")
        ->check(one_of({"queueing", "assignment", "redundancy", "sharing"}));
    check.add_option("-p,--policy", r.policy, "only this policy or scheduler");
    check.add_option("--instance", r.instance, "instance file in place of the named ones, where a claim speaks of it");
    check.add_option("--evidence", r.evidence,
                     "directory for certificates and counterexamples; nothing is written else");
    check.add_flag("--mutants", r.mutants, "run the seeded faults instead: every one must be caught");
    check.add_option("--replay", r.replay, "check this counterexample's directory again, exactly")
        ->excludes("CLAIM")
        ->excludes("--policy")
        ->excludes("--instance")
        ->excludes("--evidence")
        ->excludes("--mutants");
    check.add_option("--jobs", r.jobs, "threads (default: one per core)")->check(CLI::Range(1, 256));
    check.add_option("--seed", r.seed, "seed of the random cases")->capture_default_str();
    check.add_option("--cases", r.cases, "random cases per claim, policy and instance")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    add_budget(check, r.budget);
    check.add_option("--format", r.to.format, "text or markdown for people, json, junit or sarif for programs")
        ->check(one_of({"text", "json", "junit", "sarif", "markdown"}))
        ->capture_default_str();
    check.add_option("-o,--output", r.to.path, "file for the answer, - for standard output")->capture_default_str();
}

void add_commands(CLI::App& app, Requests& r, int& exit_code) {
    CLI::App& list =
        add_command(app, r.list, exit_code, "list", "what is registered: policies, functions, options, claims",
                    "schedproof list policies");
    list.add_option("WHAT", r.list.what,
                    "policies, schedulers, lyapunov (named functions), options (readings of the slot) or claims")
        ->required()
        ->check(one_of({"policies", "schedulers", "lyapunov", "options", "claims"}));
    add_destination(list, r.list.to);

    CLI::App& show = add_command(app, r.show, exit_code, "show", "read an instance of either family back",
                                 "schedproof show experiments/instances/n2-pandas.toml");
    show.add_option("INSTANCE", r.show.instance, "instance file (TOML or JSON), - for standard input")->required();
    show.add_option("--as", r.show.as, "summary for people, or the whole instance as toml or json")
        ->check(one_of({"summary", "toml", "json"}))
        ->capture_default_str();
    add_destination(show, r.show.to);

    CLI::App& kernel = add_command(app, r.kernel, exit_code, "kernel", "the exact law of the next slot at a state",
                                   "schedproof kernel experiments/instances/m2-half.toml -p wang-jsq-maxweight "
                                   "--queues 2,0,1 --serving idle,common --lyapunov regret");
    add_system(kernel, r.kernel.system);
    add_state(kernel, r.kernel.state);
    kernel.add_option("--lyapunov", r.kernel.lyapunov,
                      "also the exact drift of this function: of `schedproof list lyapunov` or of the instance file");
    add_destination(kernel, r.kernel.to);

    CLI::App& chain =
        add_command(app, r.chain, exit_code, "chain", "exact stationary law and means of a truncated instance",
                    "schedproof chain experiments/instances/m2-half.toml -p wang-jsq-maxweight --cap-queue 3");
    add_system(chain, r.chain.system);
    chain.add_flag("--law", r.chain.whole_law, "print the probability of every state");
    chain.add_option("--max-states", r.chain.max_states, "stop with exit code 3 beyond this many states")
        ->capture_default_str();
    add_destination(chain, r.chain.to);

    CLI::App& capacity =
        add_command(app, r.capacity, exit_code, "capacity", "how much load a cluster can carry, with a certificate",
                    "schedproof capacity experiments/instances/example-cluster.toml --picture cluster.svg");
    capacity.add_option("INSTANCE", r.capacity.instance, "instance file (TOML or JSON), - for standard input")
        ->required();
    capacity.add_option("--certificate", r.capacity.certificate, "write decomposition and prices to this file");
    capacity.add_option("--verify", r.capacity.verify, "check this certificate by multiplication instead of solving");
    capacity.add_option("--picture", r.capacity.picture,
                        "draw the cluster and its optimal work split (.dot, .svg or .png)");
    capacity.add_option("-p,--policy", r.capacity.policy,
                        "compare with the stability program of this MaxWeight-type policy");
    capacity.add_option("--rows", r.capacity.rows, "longest table in the text answer")->capture_default_str();
    add_destination(capacity, r.capacity.to);

    CLI::App& graph = add_command(
        app, r.graph, exit_code, "graph", "draw a chain, a neighbourhood or a path; write PRISM files",
        "schedproof graph experiments/instances/m2-half.toml -p wang-jsq-maxweight --cap-total 2 -o chain.svg");
    add_system(graph, r.graph.system);
    add_state(graph, r.graph.state);
    graph.add_option("--around", r.graph.around,
                     "draw what the state reaches within N slots, instead of the whole chain");
    graph.add_option("--path", r.graph.path, "draw a sampled path of N slots from the state")
        ->check(CLI::Range(0, 1000))
        ->excludes("--around");
    graph.add_option("--seed", r.graph.seed, "seed of the sampled path")->capture_default_str();
    graph.add_flag("--stationary", r.graph.stationary, "show stationary probabilities (whole chain only)");
    graph.add_option("--max-nodes", r.graph.max_nodes, "merge states beyond this many nodes")
        ->check(CLI::Range(8, 300))
        ->capture_default_str();
    graph.add_option("--max-states", r.graph.max_states, "stop with exit code 3 beyond this many states")
        ->capture_default_str();
    graph.add_option("--prism", r.graph.prism, "also write the whole chain as PRISM explicit files with this prefix");
    graph
        .add_option("-o,--output", r.graph.picture,
                    "picture to write (.dot, .svg or .png), - for DOT on standard output")
        ->capture_default_str();
    graph
        .add_option("--format", r.graph.to.format, "text for people, json for programs: the report on standard output")
        ->check(one_of({"text", "json"}))
        ->capture_default_str();

    add_check(app, r.check, exit_code);

    CLI::App& import = *app.add_subcommand("import", "make an instance of a listing from a real cluster");
    import.require_subcommand(1);
    import.footer("Example:\n  schedproof import hdfs-fsck experiments/instances/example-fsck.txt -o example.toml");
    CLI::App& fsck = add_command(
        import, r.import, exit_code, "hdfs-fsck", "what `hdfs fsck PATH -files -blocks -locations -racks` printed",
        "hdfs fsck /data -files -blocks -locations -racks | schedproof import hdfs-fsck - -o data.toml");
    fsck.add_option("FILE", r.import.listing, "the listing, - for standard input")->required();
    fsck.add_option("--path", r.import.path_prefix, "only files at or below this path");
    fsck.add_option("--by", r.import.by, "what a server is: a host, or a host and port")
        ->check(one_of({"host", "port"}))
        ->capture_default_str();
    fsck.add_option("--weight", r.import.weight, "what loads the cluster: each block the same, or its bytes")
        ->check(one_of({"blocks", "bytes"}))
        ->capture_default_str();
    fsck.add_option("--rates", r.import.rates,
                    "service rates, local first: 4/5,1/2,1/5 (an assumption: a listing has none)");
    fsck.add_option(
        "--total-rate", r.import.total_rate,
        "tasks that arrive in a slot on average (default: half of what a perfectly balanced cluster serves)");
    fsck.add_flag("--erasure-coded", r.import.erasure_coded, "count the cells of erasure-coded blocks as replicas");
    fsck.add_option("--name", r.import.name, "name of the instance");
    add_destination(fsck, r.import.to);
}

/// Words that stand where a subcommand or an option is expected, with the nearest known ones.
std::string suggestion(const CLI::App& app, const std::vector<std::string>& words) {
    const CLI::App* at = &app;
    for (const std::string& word : words) {
        if (const auto& inner = at->get_subcommands([&](const CLI::App* sub) { return sub->get_name() == word; });
            !inner.empty()) {
            at = inner.front();
            continue;
        }
        std::vector<std::string> known;
        if (word.starts_with("--")) {
            for (const CLI::Option* option : at->get_options())
                for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
        } else if (!word.starts_with("-")) {
            for (const CLI::App* sub : at->get_subcommands([](const CLI::App*) { return true; }))
                known.push_back(sub->get_name());
        }
        const std::string name = word.substr(0, word.find('='));
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        if (const std::string hint = base::did_you_mean(name, known); !hint.empty()) return "'" + name + "'" + hint;
    }
    return {};
}

int parse_and_run(int argc, char** argv) {
    CLI::App app(
        "schedproof: a cluster-scheduling policy, written once, run exactly.\n"
        "Numbers are exact. Exit codes: 0 as expected, 1 refuted or a bound missed, 2 usage or input error,\n"
        "3 unknown (a limit was reached), 4 two oracles disagree.",
        "schedproof");
    app.set_version_flag("--version", std::string("schedproof ") + SCHEDPROOF_VERSION);
    app.require_subcommand(1);
    app.footer(
        "Example:\n  schedproof capacity experiments/instances/example-cluster.toml\nSee `schedproof COMMAND --help` "
        "for an example of each.");
    Requests requests;
    int exit_code = as_expected;
    add_commands(app, requests, exit_code);
    add_prove(app, requests.prove, exit_code);
    add_certify(app, requests.certify, exit_code);
    add_heavy_traffic(app, requests.heavy_traffic, exit_code);
    add_assignment(app, requests.assignment, exit_code);
    add_optima(app, requests.optima, exit_code);
    add_dual(app, requests.dual, exit_code);
    add_redundancy(app, requests.redundancy, exit_code);
    add_delay(app, requests.delay, exit_code);
    add_simulate(app, requests.simulate, exit_code);
    add_sweep(app, requests.sweeps, exit_code);
    add_general_checks(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        // The help of the innermost subcommand named before --help.
        return app.exit(CLI::CallForHelp());
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        std::fprintf(stderr, "schedproof: %s\n", error.what());
        if (const std::string hint = suggestion(app, {argv + 1, argv + argc}); !hint.empty())
            std::fprintf(stderr, "schedproof: %s\n", hint.c_str());
        std::fprintf(stderr, "Try `schedproof --help` or `schedproof COMMAND --help`.\n");
        return usage;
    }
    return exit_code;
}

}  // namespace
}  // namespace schedproof::command

int main(int argc, char** argv) {
    using namespace schedproof;
    const auto complain = [](const std::exception& error, int code) {
        std::fprintf(stderr, "schedproof: %s\n", error.what());
        return code;
    };
    try {
        return command::parse_and_run(argc, argv);
    } catch (const InputError& error) {
        return complain(error, command::usage);
    } catch (const LimitExceeded& error) {
        return complain(error, command::unknown);
    } catch (const OracleConflict& error) {
        return complain(error, command::conflict);
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "schedproof: out of memory\n");
        return command::unknown;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "schedproof: internal error: %s\nPlease report it with the command line that led here.\n",
                     error.what());
        return command::conflict;
    }
}
