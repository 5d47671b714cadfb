/// An instance of the redundancy family from a document.
///
/// Only services that are linear in time are read: under others the exact schedule leaves the rationals, and an
/// instance file is for exact schedules.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "model/base/nearest.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/redundancy/codec/codec.hpp"

namespace schedproof::redundancy {

namespace {

using base::Cursor;

Job<Rational> decode_job(const Cursor& at, const Jobs<Rational>& before) {
    at.expect_table("a job: a table with arrival and size");
    at.allow_only({"arrival", "size"});
    const Cursor arrival = at.require("arrival", "when the job arrives, at least 0");
    const Cursor size = at.require("size", "its work, above 0");
    Job<Rational> job{arrival.number(), size.number()};
    if (job.arrival.sign() < 0)
        arrival.fail(fmt::format("expected an arrival of at least 0, not {}", display(job.arrival)));
    if (!before.empty() && job.arrival < before.back().arrival)
        arrival.fail(fmt::format("expected jobs sorted by arrival, but {} is before {}", display(job.arrival),
                                 display(before.back().arrival)));
    if (job.size.sign() <= 0) size.fail(fmt::format("expected a size above 0, not {}", display(job.size)));
    return job;
}

Jobs<Rational> decode_jobs(const Cursor& at) {
    const std::size_t size = at.array("a list of jobs").size();
    if (size > max_jobs) at.fail(fmt::format("expected at most {} jobs", max_jobs));
    Jobs<Rational> jobs;
    jobs.reserve(size);
    for (std::size_t j = 0; j < size; ++j) jobs.push_back(decode_job(at.item(j), jobs));
    return jobs;
}

/// Schedules of other processes leave the rationals, so no file holds one.
Service decode_service(const Cursor& at) {
    try {
        Service service = parse_service(at.text("a service process, such as \"two-point:2,0\""));
        if (!service.linear())
            at.fail(
                "expected a service linear in time, det, two-point:FAST,SLOW or gains:G1,G2,...@PEAK: schedules "
                "under another are not exact");
        return service;
    } catch (const InputError& error) {
        at.fail(error.expected());
    }
}

}  // namespace

Service parse_service(std::string_view text) {
    static constexpr std::array<std::string_view, 5> kinds{"det", "two-point", "slotted", "periodic", "gains"};
    const std::string_view kind = text.substr(0, text.find(':'));
    try {
        return Service::parse(text);
    } catch (const InputError& error) {
        const bool known = std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
        throw InputError::at_key(error.place().key, error.expected() + (known ? "" : base::did_you_mean(kind, kinds)));
    }
}

Instance decode_instance(const base::Cursor& root) {
    base::expect_family(root, "redundancy");
    root.allow_only({"family", "name", "source", "machines", "service", "speed", "beta", "jobs"});
    Instance instance;
    instance.name = root.require("name", "the name of the instance").name();
    if (const auto source = root.find("source"))
        instance.source = source->text("where the instance comes from, in quotes");
    instance.problem.machines =
        root.require("machines", "the number of machines").count(1, max_machines, "a number of machines");
    instance.problem.service = decode_service(root.require("service", "a service process, such as \"two-point:2,0\""));
    if (const auto speed = root.find("speed")) {
        instance.speed = speed->number();
        if (instance.speed.sign() <= 0)
            speed->fail(fmt::format("expected a speed above 0, not {}", display(instance.speed)));
    }
    if (const auto beta = root.find("beta")) {
        instance.beta = beta->number();
        if (instance.beta.sign() <= 0 || instance.beta > Rational(1))
            beta->fail(fmt::format("expected 0 < beta <= 1, not {}", display(instance.beta)));
    }
    instance.problem.jobs = decode_jobs(root.require("jobs", "a list of jobs"));
    return instance;
}

Instance parse_instance(std::string_view text, base::Format format, const std::string& file) {
    const base::Node root = base::parse_document(text, format, file);
    return decode_instance(base::Cursor(root, file));
}

Instance read_instance(const std::string& path) {
    const std::string text = base::read_text(path, base::max_json_bytes);
    return parse_instance(text, base::detect_format(path, text), base::display_name(path));
}

}  // namespace schedproof::redundancy
