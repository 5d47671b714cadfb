#include "proofs/queueing/capacity/certificate.hpp"

#include <algorithm>
#include <utility>

#include "model/core/errors.hpp"
#include "proofs/queueing/capacity/pooled.hpp"

namespace schedproof::capacity {

using queueing::Instance;

namespace {

std::string decomposition_rejection(const Instance& instance, const CapacityCertificate& certificate) {
    std::vector<Rational> sent(instance.types().size()), of_own_rates(instance.servers().size());
    // The load of a server times the product of the levels' rates, so that none of these is divided by.
    const std::size_t levels = instance.levels().size();
    Rational product = 1;
    std::vector<Rational> cofactor(levels, Rational(1));
    for (const Level l : instance.levels()) {
        product *= instance.rate(l);
        for (std::size_t other = 0; other < levels; ++other)
            if (other != l.index()) cofactor[other] *= instance.rate(l);
    }
    std::vector<Rational> at_level(instance.servers().size() * levels);
    const Assignment* previous = nullptr;
    for (const Assignment& entry : certificate.decomposition) {
        if (entry.type.index() >= instance.types().size()) return "the decomposition names an unknown type";
        if (entry.server.index() >= instance.servers().size()) return "the decomposition names an unknown server";
        if (entry.amount.sign() <= 0) return "an amount of the decomposition is not positive";
        if (!instance.can_serve(entry.server, entry.type))
            return "the decomposition sends tasks to a server that cannot serve them";
        if (previous && std::pair(previous->type, previous->server) >= std::pair(entry.type, entry.server))
            return "the decomposition is not ascending";
        previous = &entry;
        sent[entry.type.index()] += entry.amount;
        if (instance.type(entry.type).rates.empty())
            at_level[entry.server.index() * levels + instance.level(entry.type, entry.server).index()] += entry.amount;
        else
            of_own_rates[entry.server.index()] += entry.amount / instance.rate(entry.type, entry.server);
    }
    for (const TaskTypeId t : instance.types())
        if (sent[t.index()] != instance.arrival_rate(t))
            return "the decomposition does not add up to the arrival rate of type '" + instance.type(t).name + "'";
    const Rational limit = certificate.upper * product;
    bool attained = false;
    for (const ServerId m : instance.servers()) {
        Rational scaled = of_own_rates[m.index()] * product;
        for (std::size_t l = 0; l < levels; ++l)
            if (const Rational& amount = at_level[m.index() * levels + l]; amount.sign() != 0)
                scaled += amount * cofactor[l];
        if (scaled > limit) return "server '" + instance.server(m).name + "' is loaded above the upper bound";
        attained = attained || scaled == limit;
    }
    return attained ? "" : "the upper bound is not the largest load";
}

std::string price_rejection(const Instance& instance, const CapacityCertificate& certificate) {
    const std::vector<Rational>& v = certificate.type_price;
    const std::vector<Rational>& w = certificate.server_price;
    if (v.size() != instance.types().size()) return "there is not one price per type";
    if (w.size() != instance.servers().size()) return "there is not one price per server";
    Rational sum;
    for (const Rational& price : w) {
        if (price.sign() < 0) return "a server price is negative";
        sum += price;
    }
    if (sum != 1) return "the server prices do not add up to one";

    const Touched touched(instance);
    std::vector<const Rational*> least(touched.nodes(), nullptr);
    for (const ServerId m : instance.servers())
        for (std::size_t h = 0; h < touched.heights(); ++h) {
            const Rational*& below = least[touched.node(m, h)];
            if (!below || w[m.index()] < *below) below = &w[m.index()];
        }
    for (const TaskTypeId t : instance.types()) {
        // The price of a type that never arrives plays no part; it may be left at zero.
        bool dominated = true, attained = instance.arrival_rate(t).sign() == 0 && v[t.index()].sign() == 0;
        touched.for_each(t, [&](std::uint32_t node, std::size_t height) {
            const Rational value = v[t.index()] * instance.rate(t, Level(height));
            dominated = dominated && value <= *least[node];
            attained = attained || value == *least[node];
        });
        if (!attained)
            return "the price of type '" + instance.type(t).name + "' is not what its cheapest server charges";
        if (!dominated) return "the price of type '" + instance.type(t).name + "' exceeds what some server charges";
    }
    return price_value(instance, v) == certificate.lower ? "" : "the lower bound is not the value of the prices";
}

}  // namespace

const Rational& CapacityCertificate::load() const {
    require(exact(), "the load is known exactly only when both bounds of the certificate agree");
    return lower;
}

std::string rejection(const Instance& instance, const CapacityCertificate& certificate) {
    std::string wrong = decomposition_rejection(instance, certificate);
    return wrong.empty() ? price_rejection(instance, certificate) : wrong;
}

std::vector<Rational> server_loads(const Instance& instance, const std::vector<Assignment>& decomposition) {
    const std::size_t levels = instance.levels().size();
    std::vector<Rational> at_level(instance.servers().size() * levels), load(instance.servers().size());
    for (const Assignment& entry : decomposition)
        if (instance.type(entry.type).rates.empty())
            at_level[entry.server.index() * levels + instance.level(entry.type, entry.server).index()] += entry.amount;
        else
            load[entry.server.index()] += entry.amount / instance.rate(entry.type, entry.server);
    for (std::size_t i = 0; i < at_level.size(); ++i)
        if (at_level[i].sign() != 0) load[i / levels] += at_level[i] / instance.rate(Level(i % levels));
    return load;
}

Rational price_value(const Instance& instance, const std::vector<Rational>& type_price) {
    Rational value;
    for (const TaskTypeId t : instance.types())
        if (instance.arrival_rate(t).sign() != 0) value += instance.arrival_rate(t) * type_price[t.index()];
    return value;
}

}  // namespace schedproof::capacity
