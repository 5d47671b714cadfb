#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "model/core/rational.hpp"
#include "proofs/queueing/capacity/cycles.hpp"
#include "proofs/queueing/capacity/flow.hpp"

namespace schedproof::capacity {
namespace {

struct Network {
    std::vector<Arc> arcs;
    std::vector<std::int64_t> supply, room;
};

Network arbitrary_network() {
    const auto draw = [](int from, int to) { return *rc::gen::inRange(from, to + 1); };
    const int nodes = draw(1, 8), arcs = draw(0, 16);
    Network network;
    for (int i = 0; i < arcs; ++i) {
        const int a = draw(0, nodes - 1), b = draw(0, nodes - 1);
        if (a != b) network.arcs.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
    }
    for (int v = 0; v < nodes; ++v) network.supply.push_back(draw(0, 9)), network.room.push_back(draw(0, 9));
    return network;
}

template <class Value>
std::vector<Value> divergence(const Network& network, const std::vector<Value>& flow) {
    std::vector<Value> net(network.supply.size());
    for (std::size_t a = 0; a < flow.size(); ++a) {
        net[network.arcs[a].from] += flow[a];
        net[network.arcs[a].to] -= flow[a];
    }
    return net;
}

// Flow = cut: what is sent is all that leaves, and the cut's supplies exceed its room by exactly what is left.
RC_GTEST_PROP(CapacityFlow, MaximumEqualsItsCut, ()) {
    const Network network = arbitrary_network();
    TransportFlow<std::int64_t> flow(network.arcs, network.supply, network.room);
    flow.maximise();
    const std::vector<std::int64_t> net = divergence(network, flow.flow());
    std::int64_t left = 0, excess = 0;
    for (std::size_t v = 0; v < net.size(); ++v) {
        const std::int64_t sent = network.supply[v] - flow.left()[v];
        RC_ASSERT(sent >= 0 && flow.left()[v] >= 0);
        RC_ASSERT(sent - net[v] >= 0);  // what stays at v
        RC_ASSERT(sent - net[v] <= network.room[v]);
        left += flow.left()[v];
        if (flow.in_cut(v)) excess += network.supply[v] - network.room[v];
    }
    for (const std::int64_t amount : flow.flow()) RC_ASSERT(amount >= 0);
    for (const Arc& arc : network.arcs) RC_ASSERT(!flow.in_cut(arc.from) || flow.in_cut(arc.to));
    RC_ASSERT(left == excess);
}

template <class Value>
void expect_forest_of_the_same_balances(const Network& network, const std::vector<std::int64_t>& amounts) {
    std::vector<Value> flow(amounts.begin(), amounts.end());
    const std::vector<Value> before = divergence(network, flow);
    cancel_cycles(network.supply.size(), network.arcs, flow);
    RC_ASSERT(divergence(network, flow) == before);
    std::vector<std::size_t> set(network.supply.size());
    std::iota(set.begin(), set.end(), 0U);
    for (std::size_t a = 0; a < flow.size(); ++a) {
        RC_ASSERT(flow[a] >= 0);
        if (flow[a] == 0) continue;
        const std::size_t from = set[network.arcs[a].from], to = set[network.arcs[a].to];
        RC_ASSERT(from != to);
        for (std::size_t& s : set)
            if (s == from) s = to;
    }
}

// Directed cycles included: they are pushed backwards until they vanish.
RC_GTEST_PROP(CapacityFlow, CancellingLeavesAForest, ()) {
    const Network network = arbitrary_network();
    std::vector<std::int64_t> amounts;
    for (std::size_t a = 0; a < network.arcs.size(); ++a) amounts.push_back(*rc::gen::inRange<std::int64_t>(0, 6));
    expect_forest_of_the_same_balances<std::int64_t>(network, amounts);
    expect_forest_of_the_same_balances<Integer>(network, amounts);
    expect_forest_of_the_same_balances<Rational>(network, amounts);
}

}  // namespace
}  // namespace schedproof::capacity
