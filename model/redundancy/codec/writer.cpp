#include <fmt/core.h>

#include <string>

#include "model/base/notation.hpp"
#include "model/redundancy/codec/codec.hpp"

namespace schedproof::redundancy {

namespace {

using base::exact_literal;
using base::in_quotes;
using base::Notation;

std::string jobs_of(const Instance& instance, const Notation& note) {
    if (instance.problem.jobs.empty()) return "[]";
    return note.long_list(instance.problem.jobs, [&](const Job<Rational>& job) {
        return "{" + note.key("arrival") + exact_literal(job.arrival) + ", " + note.key("size") +
               exact_literal(job.size) + "}";
    });
}

/// `assign(key, value)` writes one entry of the document.
template <class Assign>
void write_entries(const Instance& instance, const Notation& note, Assign&& assign) {
    assign("family", in_quotes("redundancy"));
    assign("name", in_quotes(instance.name));
    assign("source", in_quotes(instance.source));
    assign("machines", std::to_string(instance.problem.machines));
    assign("service", in_quotes(instance.problem.service.to_string()));
    assign("speed", exact_literal(instance.speed));
    assign("beta", exact_literal(instance.beta));
    assign("jobs", jobs_of(instance, note));
}

}  // namespace

std::string write_toml(const Instance& instance) {
    std::string text;
    write_entries(instance, {" = ", false}, [&](std::string_view key, const std::string& value) {
        text += fmt::format("{} = {}\n", key, value);
    });
    return text;
}

std::string write_json(const Instance& instance) {
    std::string text = "{";
    write_entries(instance, {": ", true}, [&](std::string_view key, const std::string& value) {
        text += fmt::format("{}\n  {}: {}", text.size() > 1 ? "," : "", in_quotes(key), value);
    });
    return text + "\n}\n";
}

}  // namespace schedproof::redundancy
