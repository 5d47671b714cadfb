#include "experiments/command/core/options.hpp"
#include "experiments/command/dual/dual.hpp"

namespace schedproof::command {

void add_dual(CLI::App& app, DualRequest& r, int& exit_code) {
    CLI::App& dual = add_command(
        app, r, exit_code, "dual", "dual fitting of SRPT+R and Fair+R: alpha, beta, slack, and what they prove",
        "schedproof dual experiments/instances/redundancy/beta-of-srpt-r.toml --speed 2 --plot dual.svg "
        "--certificate dual.json");
    dual.add_option("INSTANCE", r.instance, "redundancy instance (TOML or JSON), - for standard input")->required();
    dual.add_option("--rule", r.rule,
                    "how alpha and beta are made: srpt (of SRPT+R), cap, rank, shifted or naive (of Fair+R), or a slip "
                    "of the first: srpt:unscaled, srpt:floor, srpt:own-count, srpt:forget")
        ->capture_default_str();
    dual.add_option("--speed", r.speed, "of the policy's machines, an exact number above 0 (default: the instance's)");
    dual.add_option("--constant", r.constant,
                    "the C of the relaxed problem that must suffice (default: (1 - 1/M) / speed)");
    dual.add_flag("--optimum", r.optimum,
                  "compare with the exact optimum of few jobs: no multitasking, decisions at arrivals and departures");
    dual.add_option("--plot", r.plot, "draw alpha, beta and the slack over time to this file, .svg or .png");
    dual.add_option("--certificate", r.certificate, "write the certificate to this file, for `schedproof certify`");
    add_destination(dual, r.to);
}

}  // namespace schedproof::command
