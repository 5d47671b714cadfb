/// The load rho* along a family of loads, exactly.
///
/// Arrival rates are affine in the slack eps. Prices that the servers' rates allow are allowed at every slack, and
/// their value sum lambda_L(eps) v_L is affine in eps: rho* is the largest of such values, so it is convex and
/// piecewise linear. Where the value of prices equals rho* at both ends of an interval it does so between: from below
/// by the prices, and from above by the mixture of the two ends' decompositions, whose largest load is at most theirs
/// mixed.
///
/// Prices that are optimal at one end of an interval, if they are optimal at the other end too, prove the whole of it.
/// Otherwise the two values cross in the interior, where rho* is at least their common value. If it is that, there are
/// two pieces, and else the prices found there belong to a piece in between that neither end knew.
#include "proofs/queueing/capacity/along_slack.hpp"

#include <utility>

#include "model/core/errors.hpp"
#include "model/queueing/load.hpp"
#include "proofs/queueing/capacity/region.hpp"

namespace schedproof::capacity {

using namespace queueing;

namespace {

std::vector<Rational> type_prices(const Instance& instance, const std::vector<Rational>& server_price) {
    std::vector<Rational> prices;
    for (const TaskTypeId type : instance.types()) {
        std::optional<Rational> least;
        for (const ServerId m : instance.servers()) {
            if (!instance.can_serve(m, type)) continue;
            const Rational here = server_price[m.index()] / instance.rate(type, m);
            if (!least || here < *least) least = here;
        }
        prices.push_back(least.value());
    }
    return prices;
}

/// A slack, the instance there, and its load.
struct Stop {
    Rational slack;
    Instance instance;
    CapacityCertificate certificate;
    std::vector<Rational> type_price;  ///< by the certificate's prices of servers
};

Stop stop_at(const Instance& family, const Rational& slack) {
    Instance instance = at_slack(family, slack);
    CapacityCertificate certificate = solve(instance);
    if (!certificate.exact())
        throw LimitExceeded("linear programming",
                            "no method found the load at slack " + slack.to_string() + " exactly");
    std::vector<Rational> prices = type_prices(instance, certificate.server_price);
    return {slack, std::move(instance), std::move(certificate), std::move(prices)};
}

class Walk {
  public:
    explicit Walk(const Instance& family) : family_(family) {}

    void between(const Stop& a, const Stop& b) {
        const Rational of_a_at_b = price_value(b.instance, a.type_price);
        if (of_a_at_b == b.certificate.load()) return add(a, b, a);
        const Rational of_b_at_a = price_value(a.instance, b.type_price);
        if (of_b_at_a == a.certificate.load()) return add(a, b, b);
        // Each value is the larger one at its own end by these gaps, and affine.
        const Rational at_a = a.certificate.load() - of_b_at_a, at_b = b.certificate.load() - of_a_at_b;
        const Stop c = stop_at(family_, a.slack + (b.slack - a.slack) * at_a / (at_a + at_b));
        between(a, c), between(c, b);
    }

    std::vector<LoadPiece> pieces;

  private:
    /// `prices` are optimal at both ends.
    void add(const Stop& a, const Stop& b, const Stop& prices) {
        const std::vector<Rational>& w = prices.certificate.server_price;
        if (!pieces.empty() && price_value(b.instance, pieces.back().type_price) == b.certificate.load()) {
            pieces.back().to = b.slack, pieces.back().at_to = b.certificate.load(), pieces.back().last = b.certificate;
            return;
        }
        pieces.push_back({a.slack, b.slack, a.certificate.load(), b.certificate.load(), prices.type_price, w,
                          a.certificate, b.certificate});
    }

    const Instance& family_;
};

}  // namespace

std::vector<LoadPiece> load_along_slack(const Instance& family) {
    Walk walk(family);
    walk.between(stop_at(family, Rational(0)), stop_at(family, family.slack().up_to));
    if (const std::string reason = rejection(family, walk.pieces); !reason.empty())
        throw OracleConflict("the loads along the slack do not verify: " + reason);
    return std::move(walk.pieces);
}

std::string rejection(const Instance& family, const std::vector<LoadPiece>& pieces) {
    if (pieces.empty() || pieces.front().from.sign() != 0 || pieces.back().to != family.slack().up_to)
        return "the pieces do not cover the family";
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const LoadPiece& piece = pieces[i];
        const std::string where = "from slack " + piece.from.to_string() + " on: ";
        if (i > 0 && pieces[i - 1].to != piece.from) return where + "the pieces do not follow each other";
        if (!(piece.from < piece.to)) return where + "the piece is empty";
        if (piece.type_price.size() != family.types().size() || piece.server_price.size() != family.servers().size())
            return where + "there is not one price per type and one per server";
        Rational all;
        for (const Rational& w : piece.server_price) {
            if (w.sign() < 0) return where + "a price is negative";
            all += w;
        }
        if (all != Rational(1)) return where + "the prices of servers do not add up to 1";
        for (const TaskTypeId type : family.types())
            for (const ServerId m : family.servers())
                if (piece.type_price[type.index()] * family.rate(type, m) > piece.server_price[m.index()])
                    return where + "server " + family.server(m).name + " earns more with type " +
                           family.type(type).name + " than its price";
        for (const auto& [slack, load, certificate] : {std::tuple(&piece.from, &piece.at_from, &piece.first),
                                                       std::tuple(&piece.to, &piece.at_to, &piece.last)}) {
            const Instance end = at_slack(family, *slack);
            if (const std::string reason = rejection(end, *certificate); !reason.empty()) return where + reason;
            if (certificate->upper != *load || price_value(end, piece.type_price) != *load)
                return where + "the prices and the decomposition differ at slack " + slack->to_string();
        }
    }
    return "";
}

}  // namespace schedproof::capacity
