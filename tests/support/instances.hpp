/// Small instances that several tests speak of.
#pragma once

#include <string>
#include <vector>

#include "model/queueing/instance.hpp"
#include "policies/queueing/exact.hpp"

namespace schedproof::testing_support {

inline Rational q(const char* text) { return *Rational::parse(text); }

/// Two servers, types {0} and {1}, independent Bernoulli arrivals, rates alpha and gamma.
inline queueing::Instance two_servers(const char* alpha, const char* gamma, const char* lambda0, const char* lambda1) {
    queueing::InstanceData data;
    data.name = "two-servers";
    data.levels = {{"local", q(alpha)}, {"remote", q(gamma)}};
    data.servers = {{"s0", {}}, {"s1", {}}};
    data.types = {{"A", {ServerId(0)}}, {"B", {ServerId(1)}}};
    const std::vector<Rational> rates{q(lambda0), q(lambda1)};
    data.arrivals = queueing::ArrivalLaw::bernoulli(rates);
    return queueing::Instance(std::move(data));
}

/// The three-level instance of docs/models/queueing.md, Counterexample N2: racks {0,1}, {2}; types A = {0}, B = {1,2}.
inline queueing::Instance n2() {
    queueing::InstanceData data;
    data.name = "n2";
    data.levels = {{"local", q("1/2")}, {"rack", q("2/5")}, {"remote", q("1/20")}};
    data.servers = {{"s0", {"r0"}}, {"s1", {"r0"}}, {"s2", {"r1"}}};
    data.types = {{"A", {ServerId(0)}}, {"B", {ServerId(1), ServerId(2)}}};
    const std::vector<Rational> rates{q("22/25"), q("9/20")};
    data.arrivals = queueing::ArrivalLaw::bernoulli(rates);
    return queueing::Instance(std::move(data));
}

/// One server with one type: the discrete-time single-server queue.
inline queueing::Instance one_server(const char* alpha, const char* lambda) {
    queueing::InstanceData data;
    data.name = "one-server";
    data.levels = {{"local", q(alpha)}, {"remote", q("1/100")}};
    data.servers = {{"s0", {}}};
    data.types = {{"A", {ServerId(0)}}};
    const std::vector<Rational> rates{q(lambda)};
    data.arrivals = queueing::ArrivalLaw::bernoulli(rates);
    return queueing::Instance(std::move(data));
}

}  // namespace schedproof::testing_support
