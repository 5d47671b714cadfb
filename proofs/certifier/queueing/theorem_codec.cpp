/// Functions of the state, statuses, drift and invariants as JSON text and back, and the shapes of what they hold.
///
/// The text is written part by part, since its layout is part of the format. The readers may rely on the shapes,
/// against which a certificate is held before it is read, and check what a shape does not say: order, and numbers in
/// lowest terms.
#include "proofs/certifier/queueing/theorem_codec.hpp"

#include <fmt/core.h>

#include "proofs/certifier/proof_codec.hpp"

namespace schedproof::certify {

using queueing::DriftTheorem;
using queueing::FluidPlan;
using queueing::LyapunovForm;
using queueing::Renaming;
using queueing::Sense;
using queueing::Service;
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
            if (p.when->phantom) text += ", \"phantom\": true";
            text += "}";
        }
        return text + "}";
    };
    return "{\"name\": " + json_string(v.name) + ",\n      \"products\": " + json_list(v.products, product) +
           ",\n      \"pieces\": " + json_list(v.pieces, piece) + "}";
}

Shape lyapunov_shape() {
    const Shape product = record_shape({member("coefficient", number_shape(), "Factor of the product."),
                                        member("first", form_shape(), "A linear form."),
                                        member("second", form_shape(), "A linear form.")});
    const Shape when = record_shape({member("server", index_shape(), "Position of the server."),
                                     optional("queue", index_shape(), "Position of the queue."),
                                     optional("level", index_shape(), "Position of the level."),
                                     optional("phantom", flag_shape(),
                                              "True: instead of being busy, the server is committed to a queue without "
                                              "a task.")});
    const Shape piece =
        record_shape({member("coefficient", number_shape(), "Factor of the product."),
                      member("largest-of", list_shape(form_shape(), 1), "Forms of which the largest counts."),
                      optional("when", when, "State of a server in which the piece counts.")});
    return named(record_shape({member("name", text_shape("^[-A-Za-z0-9_.:]+$"), "Name of V."),
                               member("products", list_shape(product), "Products of two forms."),
                               member("pieces", list_shape(piece), "Largest values of forms.")}),
                 "lyapunov");
}

LyapunovForm read_lyapunov(const StrictCursor& at) {
    LyapunovForm v;
    v.name = at.member("name").name();
    const StrictCursor products = at.member("products"), pieces = at.member("pieces");
    for (std::size_t i = 0; i < products.size(); ++i) {
        const StrictCursor item = products.item(i);
        LyapunovForm::Product product;
        product.coefficient = item.member("coefficient").number();
        product.first = read_form(item.member("first"));
        product.second = read_form(item.member("second"));
        v.products.push_back(std::move(product));
    }
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const StrictCursor item = pieces.item(i);
        LyapunovForm::Piece piece;
        piece.coefficient = item.member("coefficient").number();
        const StrictCursor forms = item.member("largest-of");
        for (std::size_t k = 0; k < forms.size(); ++k) piece.largest_of.push_back(read_form(forms.item(k)));
        if (item.has("when")) {
            const StrictCursor when = item.member("when");
            piece.when = LyapunovForm::Condition{ServerId(when.member("server").index(max_index)), {}, {}};
            if (when.has("queue")) piece.when->queue = QueueId(when.member("queue").index(max_index));
            if (when.has("level")) piece.when->level = Level(when.member("level").index(max_index));
            piece.when->phantom = when.has("phantom");
            if (piece.when->phantom && !when.member("phantom").flag()) when.member("phantom").fail("expected true");
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

Shape statuses_shape() {
    const Shape status = record_shape({member("status", word_shape({"busy", "phantom"}), "What it does."),
                                       member("level", index_shape(), "Position of the level."),
                                       member("queue", index_shape(), "Position of the queue.")});
    return named(list_shape(list_shape(choice_shape({word_shape({"idle"}), status}), 1), 1), "statuses",
                 "Per server, what it can be doing; idle first.");
}

std::vector<std::vector<Service>> read_statuses(const StrictCursor& at) {
    std::vector<std::vector<Service>> all;
    for (std::size_t m = 0; m < at.size(); ++m) {
        const StrictCursor own = at.item(m);
        all.emplace_back();
        for (std::size_t i = 0; i < own.size(); ++i) {
            const StrictCursor item = own.item(i);
            if (item.is_text()) {
                if (item.text() != "idle") item.fail("expected \"idle\" or an object");
                all.back().push_back({});
                continue;
            }
            const std::string& status = item.member("status").text();
            if (status != "busy" && status != "phantom") item.member("status").fail("expected \"busy\" or \"phantom\"");
            all.back().push_back({status == "busy" ? Service::Status::busy : Service::Status::phantom,
                                  Level(item.member("level").index(max_index)),
                                  QueueId(item.member("queue").index(max_index))});
        }
    }
    return all;
}

std::string empty_to_json(const std::vector<QueueId>& empty) {
    if (empty.empty()) return "";
    return ",\n     \"empty\": " + json_list(empty, [](QueueId q) { return std::to_string(q.index()); });
}

base::Member empty_member() {
    return optional("empty", list_shape(index_shape(), 1),
                    "Queues that no task joins, and that hold none where the statement is made.");
}

std::vector<QueueId> read_empty(const StrictCursor& at) {
    std::vector<QueueId> all;
    if (!at.has("empty")) return all;
    const StrictCursor empty = at.member("empty");
    for (std::size_t i = 0; i < empty.size(); ++i) all.emplace_back(empty.item(i).index(max_index));
    return all;
}

namespace {

std::string to_json(const Renaming& by) {
    const auto list = [](const std::vector<std::uint32_t>& image) {
        return json_list(image, [](std::uint32_t i) { return std::to_string(i); });
    };
    return "{\"servers\": " + list(by.server) + ", \"queues\": " + list(by.queue) + "}";
}

Renaming read_renaming(const StrictCursor& at) {
    const auto list = [&](const char* key) {
        const StrictCursor all = at.member(key);
        std::vector<std::uint32_t> image;
        for (std::size_t i = 0; i < all.size(); ++i) image.push_back(all.item(i).index(max_index));
        return image;
    };
    return {list("servers"), list("queues")};
}

}  // namespace

std::string renamings_to_json(const std::vector<Renaming>& renamings) {
    if (renamings.empty()) return "";
    return ",\n     \"renamings\": " + json_list(renamings, [](const Renaming& by) { return to_json(by); });
}

base::Member renamings_member(const char* meaning) {
    const Shape renaming = record_shape({member("servers", list_shape(index_shape()), "Image of each server."),
                                         member("queues", list_shape(index_shape()), "Image of each queue.")});
    return optional("renamings", list_shape(renaming, 1), meaning);
}

std::vector<Renaming> read_renamings(const StrictCursor& at) {
    std::vector<Renaming> all;
    if (!at.has("renamings")) return all;
    const StrictCursor renamings = at.member("renamings");
    for (std::size_t i = 0; i < renamings.size(); ++i) all.push_back(read_renaming(renamings.item(i)));
    return all;
}

std::string to_json(const std::vector<Linear>& forms) {
    return json_list(forms, [](const Linear& form) { return to_json(form); });
}

std::string to_json(const DriftTheorem& theorem) {
    return "{\"v\": " + to_json(theorem.v) + ",\n     \"sense\": \"" +
           (theorem.sense == Sense::below ? "below" : "above") + "\", \"delta\": " + to_json(theorem.delta) +
           ", \"threshold\": " + to_json(theorem.threshold) + ",\n     \"measure\": " + to_json(theorem.measure) +
           ",\n     \"statuses\": " + to_json(theorem.statuses) + empty_to_json(theorem.empty) +
           (theorem.summands ? ",\n     \"summands\": " + to_json(*theorem.summands) : "") +
           (theorem.links.empty() ? "" : ",\n     \"links\": " + to_json(theorem.links)) +
           renamings_to_json(theorem.renamings) + "}";
}

Shape drift_shape() {
    return record_shape(
        {member("v", lyapunov_shape(), "The function V."),
         member("sense", word_shape({"below", "above"}), "Whether the drift is bounded from above or below."),
         member("delta", number_shape(), "Bound of the drift."),
         member("threshold", number_shape(), "Where the bound begins."),
         member("measure", form_shape(), "What the threshold is compared with."),
         member("statuses", statuses_shape(), "Of the servers."), empty_member(),
         optional("summands", list_shape(form_shape()), "Of a proof by summands, the bound of each term."),
         optional("links", list_shape(form_shape()), "Of a proof by summands with links, the form of each."),
         renamings_member("Of a proof by summands: of terms that they lead between the first is asked.")});
}

Shape invariants_shape() {
    const Shape activity = named(record_shape({member("type", index_shape(), "Number of the type."),
                                               member("server", index_shape(), "Number of the server."),
                                               member("amount", number_shape(), "Tasks per slot.")}),
                                 "activity", "How much of a type a server does under a plan.");
    const Shape plan =
        named(record_shape({member("load", number_shape(), "rho*, by which its shares are divided."),
                            member("activities", list_shape(activity), "Those with a positive amount.")}),
              "plan", "What a policy of fluid model planning follows.");
    return record_shape({member("names", list_shape(text_shape(), 1), "What holds in every slot, by name."),
                         member("statuses", statuses_shape(), "Of the servers."),
                         optional("plan", plan, "That the policy follows, where it follows one.")});
}

namespace {

std::string plan_json(const FluidPlan& plan) {
    return "{\"load\": " + certify::to_json(plan.load) + ", \"activities\": " +
           json_list(plan.activities,
                     [](const FluidPlan::Activity& activity) {
                         return "{\"type\": " + std::to_string(activity.type.index()) +
                                ", \"server\": " + std::to_string(activity.server.index()) +
                                ", \"amount\": " + certify::to_json(activity.amount) + "}";
                     }) +
           "}";
}

FluidPlan read_plan(const StrictCursor& at) {
    FluidPlan plan{at.member("load").number(), {}};
    const StrictCursor activities = at.member("activities");
    for (std::size_t i = 0; i < activities.size(); ++i) {
        const StrictCursor item = activities.item(i);
        plan.activities.push_back({TaskTypeId(item.member("type").index(max_index)),
                                   ServerId(item.member("server").index(max_index)), item.member("amount").number()});
    }
    return plan;
}

}  // namespace

std::string to_json(const queueing::InvariantTheorem& theorem) {
    return "{\"names\": " + json_list(theorem.names, [](const std::string& name) { return json_string(name); }) +
           ",\n     \"statuses\": " + to_json(theorem.statuses) +
           (theorem.plan ? ",\n     \"plan\": " + plan_json(*theorem.plan) : "") + "}";
}

queueing::InvariantTheorem read_invariants(const StrictCursor& at) {
    queueing::InvariantTheorem theorem;
    const StrictCursor names = at.member("names");
    for (std::size_t i = 0; i < names.size(); ++i) theorem.names.push_back(names.item(i).text());
    theorem.statuses = read_statuses(at.member("statuses"));
    if (at.has("plan")) theorem.plan = read_plan(at.member("plan"));
    return theorem;
}

std::vector<Linear> read_forms(const StrictCursor& at) {
    std::vector<Linear> forms;
    for (std::size_t i = 0; i < at.size(); ++i) forms.push_back(read_form(at.item(i)));
    return forms;
}

DriftTheorem read_drift(const StrictCursor& at) {
    DriftTheorem theorem;
    theorem.v = read_lyapunov(at.member("v"));
    const std::string& sense = at.member("sense").text();
    if (sense != "below" && sense != "above") at.member("sense").fail("expected \"below\" or \"above\"");
    theorem.sense = sense == "below" ? Sense::below : Sense::above;
    theorem.delta = at.member("delta").number();
    theorem.threshold = at.member("threshold").number();
    theorem.measure = read_form(at.member("measure"));
    theorem.statuses = read_statuses(at.member("statuses"));
    theorem.empty = read_empty(at);
    if (at.has("summands")) {
        theorem.summands = read_forms(at.member("summands"));
        if (at.has("links")) theorem.links = read_forms(at.member("links"));
        theorem.renamings = read_renamings(at);
    }
    return theorem;
}

}  // namespace schedproof::certify
