// A policy of one's own, run exactly, from the installed library: fails unless the next slot's law sums to one.
#include <cstdio>

#include "model/queueing/chain.hpp"

using namespace schedproof;
using namespace schedproof::queueing;

struct ServeOwn {
    static constexpr PolicyInfo info{"serve-own", "consumer", "join the shortest local queue; serve own"};
    static constexpr Rules rules{language::keep(Arrangement::per_server),
                                 route(argmin(language::local, language::length)), serve(language::own)};
};

int main() {
    InstanceData data;
    data.name = "consumer";
    data.levels = {{"local", Rational(4) / 5}, {"remote", Rational(1) / 5}};
    data.servers = {{"s0", {}}, {"s1", {}}};
    data.types = {{"A", {ServerId(0), ServerId(1)}}};
    const std::vector<Rational> rates{Rational(1) / 2};
    data.arrivals = ArrivalLaw::bernoulli(rates);
    const Instance instance(std::move(data));
    const Kernel<CheckedInt> kernel(instance, ServeOwn{});
    Rational total;
    for (const Move& move : moves(kernel, kernel.initial())) total += move.probability;
    std::printf("total probability %s\n", total.to_string().c_str());
    return total == 1 ? 0 : 1;
}
