#include "experiments/cli/certify/theorem_codec.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "experiments/cli/certify/proof_codec.hpp"
#include "experiments/input/nearest.hpp"

namespace schedproof::certify {

using queueing::DriftTheorem;
using queueing::LyapunovForm;
using queueing::Sense;
using queueing::Service;
using queueing::TransienceTheorem;
using Linear = LyapunovForm::Linear;

std::string to_json(const LyapunovForm& v) {
    const auto product = [](const LyapunovForm::Product& p) {
        return "{\"coefficient\": " + to_json(p.coefficient) + ", \"first\": " + to_json(p.first) +
               ", \"second\": " + to_json(p.second) + "}";
    };
    const auto piece = [](const LyapunovForm::Piece& p) {
        std::string text = "{\"coefficient\": " + to_json(p.coefficient) +
                           ", \"largest-of\": " + json_list(p.largest_of, [](const Linear& l) { return to_json(l); });
        if (p.when) {
            text += fmt::format(", \"when\": {{\"server\": {}", p.when->server.index());
            if (p.when->queue) text += fmt::format(", \"queue\": {}", p.when->queue->index());
            if (p.when->level) text += fmt::format(", \"level\": {}", p.when->level->index());
            text += "}";
        }
        return text + "}";
    };
    return "{\"name\": " + json_string(v.name) + ",\n      \"products\": " + json_list(v.products, product) +
           ",\n      \"pieces\": " + json_list(v.pieces, piece) + "}";
}

LyapunovForm read_lyapunov(const Spot& at) {
    at.members({"name", "products", "pieces"});
    LyapunovForm v;
    v.name = at.member("name").text();
    const Spot products = at.member("products"), pieces = at.member("pieces");
    for (std::size_t i = 0; i < products.size(); ++i) {
        const Spot item = products.item(i);
        item.members({"coefficient", "first", "second"});
        LyapunovForm::Product product;
        product.coefficient = item.member("coefficient").number();
        product.first = read_form(item.member("first"));
        product.second = read_form(item.member("second"));
        v.products.push_back(std::move(product));
    }
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Spot item = pieces.item(i);
        item.members({"coefficient", "largest-of"}, {"when"});
        LyapunovForm::Piece piece;
        piece.coefficient = item.member("coefficient").number();
        const Spot forms = item.member("largest-of");
        for (std::size_t k = 0; k < forms.size(); ++k) piece.largest_of.push_back(read_form(forms.item(k)));
        if (item.has("when")) {
            const Spot when = item.member("when");
            when.members({"server"}, {"queue", "level"});
            piece.when = LyapunovForm::Condition{ServerId(when.member("server").index(max_index)), {}, {}};
            if (when.has("queue")) piece.when->queue = QueueId(when.member("queue").index(max_index));
            if (when.has("level")) piece.when->level = Level(when.member("level").index(max_index));
        }
        v.pieces.push_back(std::move(piece));
    }
    return v;
}

std::string to_json(const std::vector<std::vector<Service>>& statuses) {
    const auto status = [](const Service& s) -> std::string {
        if (s.status == Service::Status::idle) return "\"idle\"";
        return fmt::format("{{\"status\": \"{}\", \"level\": {}, \"queue\": {}}}",
                           s.status == Service::Status::busy ? "busy" : "phantom", s.level.index(), s.queue.index());
    };
    return json_list(statuses, [&](const auto& own) { return json_list(own, status); });
}

std::vector<std::vector<Service>> read_statuses(const Spot& at) {
    std::vector<std::vector<Service>> all;
    for (std::size_t m = 0; m < at.size(); ++m) {
        const Spot own = at.item(m);
        all.emplace_back();
        for (std::size_t i = 0; i < own.size(); ++i) {
            const Spot item = own.item(i);
            if (item.is_text()) {
                if (item.text() != "idle") item.fail("expected \"idle\" or an object");
                all.back().push_back({});
                continue;
            }
            item.members({"status", "level", "queue"});
            const std::string& status = item.member("status").text();
            if (status != "busy" && status != "phantom") item.member("status").fail("expected \"busy\" or \"phantom\"");
            all.back().push_back({status == "busy" ? Service::Status::busy : Service::Status::phantom,
                                  Level(item.member("level").index(max_index)),
                                  QueueId(item.member("queue").index(max_index))});
        }
    }
    return all;
}

std::string to_json(const DriftTheorem& theorem) {
    return "{\"v\": " + to_json(theorem.v) + ",\n     \"sense\": \"" +
           (theorem.sense == Sense::below ? "below" : "above") + "\", \"delta\": " + to_json(theorem.delta) +
           ", \"threshold\": " + to_json(theorem.threshold) + ",\n     \"measure\": " + to_json(theorem.measure) +
           ",\n     \"statuses\": " + to_json(theorem.statuses) + "}";
}

std::string to_json(const capacity::CapacityCertificate& load) {
    const auto assignment = [](const capacity::Assignment& a) {
        return fmt::format("{{\"type\": {}, \"server\": {}, \"amount\": {}}}", a.type.index(), a.server.index(),
                           to_json(a.amount));
    };
    const auto number = [](const Rational& q) { return to_json(q); };
    return "{\"lower\": " + to_json(load.lower) + ", \"upper\": " + to_json(load.upper) +
           ",\n      \"decomposition\": " + json_list(load.decomposition, assignment) +
           ",\n      \"type-price\": " + json_list(load.type_price, number) +
           ",\n      \"server-price\": " + json_list(load.server_price, number) + "}";
}

capacity::CapacityCertificate read_load(const Spot& at) {
    at.members({"lower", "upper", "decomposition", "type-price", "server-price"});
    capacity::CapacityCertificate load;
    load.lower = at.member("lower").number();
    load.upper = at.member("upper").number();
    const Spot decomposition = at.member("decomposition");
    for (std::size_t i = 0; i < decomposition.size(); ++i) {
        const Spot item = decomposition.item(i);
        item.members({"type", "server", "amount"});
        capacity::Assignment assignment;
        assignment.type = TaskTypeId(item.member("type").index(max_index));
        assignment.server = ServerId(item.member("server").index(max_index));
        assignment.amount = item.member("amount").number();
        load.decomposition.push_back(std::move(assignment));
    }
    const auto numbers = [](const Spot& list) {
        std::vector<Rational> all;
        for (std::size_t i = 0; i < list.size(); ++i) all.push_back(list.item(i).number());
        return all;
    };
    load.type_price = numbers(at.member("type-price"));
    load.server_price = numbers(at.member("server-price"));
    return load;
}

std::string to_json(const TransienceTheorem& theorem) {
    return "{\"w\": " + to_json(theorem.w) + ",\n     \"delta\": " + to_json(theorem.delta) +
           ", \"threshold\": " + to_json(theorem.threshold) + ", \"jump\": " + to_json(theorem.jump) +
           ",\n     \"statuses\": " + to_json(theorem.statuses) + ",\n     \"load\": " + to_json(theorem.capacity) +
           "}";
}

namespace {

TransienceTheorem read_transience(const Spot& at) {
    at.members({"w", "delta", "threshold", "jump", "statuses", "load"});
    TransienceTheorem theorem;
    theorem.w = read_lyapunov(at.member("w"));
    theorem.delta = at.member("delta").number();
    theorem.threshold = at.member("threshold").number();
    theorem.jump = at.member("jump").number();
    theorem.statuses = read_statuses(at.member("statuses"));
    theorem.capacity = read_load(at.member("load"));
    return theorem;
}

DriftTheorem read_drift(const Spot& at) {
    at.members({"v", "sense", "delta", "threshold", "measure", "statuses"});
    DriftTheorem theorem;
    theorem.v = read_lyapunov(at.member("v"));
    const std::string& sense = at.member("sense").text();
    if (sense != "below" && sense != "above") at.member("sense").fail("expected \"below\" or \"above\"");
    theorem.sense = sense == "below" ? Sense::below : Sense::above;
    theorem.delta = at.member("delta").number();
    theorem.threshold = at.member("threshold").number();
    theorem.measure = read_form(at.member("measure"));
    theorem.statuses = read_statuses(at.member("statuses"));
    return theorem;
}

}  // namespace

queueing::Theorem read_theorem(const Spot& kind, const Spot& data) {
    const std::string& name = kind.text();
    if (name == "drift") return read_drift(data);
    if (name == "transience") return read_transience(data);
    kind.fail("expected a known kind of theorem" + input::did_you_mean(name, theorem_kinds));
}

}  // namespace schedproof::certify
