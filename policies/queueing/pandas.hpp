/// Pandas, the priority algorithm for near-data scheduling ([xie2015]; [kavousi], Section IV-B).
///
/// A task joins the shortest queue among its local servers. An idle server serves its own queue while that has work,
/// and otherwise helps a long queue n if mu(m,n) Q_n >= alpha, that is, if the help is expected to end before the
/// owner could have got to the task.
/// Deviation: the paper has two levels. For three and more, no source says whom to help; both natural rules are
/// given: `plain` helps the longest queue anywhere, `rackaware` the queue of largest mu(m,n) Q_n. On two levels they
/// agree.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::queueing::language {

enum class PandasHelp { plain, rackaware };

template <PandasHelp help>
struct Pandas {
    static constexpr PolicyInfo info =
        help == PandasHelp::plain
            ? PolicyInfo{"pandas:plain", "[xie2015]; [kavousi], Section IV-B",
                         "join the shortest local queue; serve own, else help the longest queue if rate times length "
                         ">= alpha"}
            : PolicyInfo{
                  "pandas:rackaware", "[xie2015], extended to racks; docs/models/queueing.md, Interpretation Q15",
                  "join the shortest local queue; serve own, else help the largest rate times length if >= alpha"};
    static constexpr auto longest =
        help == PandasHelp::plain ? argmax(nonempty(reachable), length) : argmax(nonempty(reachable), rate* length);
    static constexpr auto pays = rate * length >= local_rate * tasks(1);
    static constexpr Rules rules{keep(Arrangement::per_server), route(argmin(local, length)),
                                 serve(first_of(nonempty(own), where(longest, pays), own))};
};

using PandasPlain = Pandas<PandasHelp::plain>;
using PandasRackaware = Pandas<PandasHelp::rackaware>;

}  // namespace schedproof::queueing::language

namespace schedproof::queueing {
using language::Pandas;
using language::PandasHelp;
using language::PandasPlain;
using language::PandasRackaware;
}  // namespace schedproof::queueing
