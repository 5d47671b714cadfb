/// Grids of the analysis, and of jobs without end.
#include <array>
#include <utility>
#include <vector>

#include "checks/sharing/generate.hpp"

namespace schedproof::checks {

using namespace sharing;

namespace {

/// The settings of the analysis from lists, those with more tasks than nodes left out.
void for_each_setting(const std::vector<std::uint64_t>& nodes, const std::vector<std::uint64_t>& replicas,
                      const std::vector<std::uint64_t>& tasks, const std::function<bool(DelaySetting)>& visit) {
    for (const std::uint64_t m : nodes)
        for (const std::uint64_t r : replicas)
            for (const std::uint64_t n : tasks)
                if (n <= m && !visit({m, r, n})) return;
}

}  // namespace

void for_each_analysis(const VisitCase& visit) {
    static const std::array<std::pair<int, int>, 9> goals{
        {{0, 1}, {1, 10}, {1, 2}, {3, 4}, {4, 5}, {9, 10}, {19, 20}, {99, 100}, {999, 1000}}};
    for_each_setting({1, 2, 3, 5, 10, 20, 50, 100, 200}, {1, 2, 3, 5}, {1, 2, 3, 5, 10, 20, 50, 100},
                     [&](const DelaySetting& of) {
                         for (const auto& [p, q] : goals) {
                             SharingCase c;
                             c.of = of;
                             c.goal = Rational(p) / Rational(q);
                             if (!visit(c)) return false;
                         }
                         return true;
                     });
}

void for_each_small_analysis(const VisitCase& visit) {
    for_each_setting({1, 2, 3, 5, 12}, {1, 2, 3}, {1, 2, 3, 8}, [&](const DelaySetting& of) {
        for (const std::int64_t d : {0, 1, 2, 5, 12}) {
            SharingCase c;
            c.of = of;
            c.parameters.d = d;
            if (!visit(c)) return false;
        }
        return true;
    });
}

void for_each_sticky(const VisitCase& visit) {
    for (std::size_t nodes = 2; nodes <= 4; ++nodes)
        for (std::size_t jobs = 2; jobs <= nodes; ++jobs)
            for (std::int64_t d = 1; d <= 2; ++d) {
                if (nodes % jobs != 0 || nodes + jobs > 7) continue;
                SharingCase c;
                c.setting.cluster = Cluster::one_rack(nodes, 1);
                for (std::size_t j = 0; j < jobs; ++j) {
                    c.setting.jobs.emplace_back();
                    for (std::size_t n = j * nodes / jobs; n < (j + 1) * nodes / jobs; ++n)
                        c.setting.jobs.back().tasks.emplace_back(1, NodeId(n));
                }
                c.state = initial_state(c.setting);
                c.parameters.d = d;
                if (!visit(c)) return;
            }
}

}  // namespace schedproof::checks
