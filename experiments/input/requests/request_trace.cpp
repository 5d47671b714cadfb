/// Requests of every format, brought to one form: times from the first request on, keys that stand once dropped.
///
/// Formats whose times are those of a hit, tables and job logs, say nothing of a miss: it takes a factor longer, and
/// some seconds. Blocks of prompts, which say both, are in block_trace.cpp.
#include "experiments/input/requests/request_trace.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <unordered_map>
#include <utility>

#include "experiments/input/requests/block_trace.hpp"
#include "experiments/input/text/csv_reader.hpp"
#include "experiments/input/text/real_text.hpp"
#include "experiments/input/traces/swf_reader.hpp"
#include "experiments/input/traces/swim_reader.hpp"
#include "model/base/numeral.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

namespace detail {

void RequestCollector::add(TracedRequest request, std::size_t line) {
    std::vector<TracedRequest>& list = trace_.requests;
    const auto fail = [&](const std::string& expected) { throw InputError::at_line(file_, line, expected); };
    if (list.size() == max_requests) fail(fmt::format("expected at most {} requests", max_requests));
    if (list.empty()) start_ = request.time;
    request.time -= start_;
    if (!list.empty() && request.time < list.back().time)
        fail(fmt::format("expected requests in the order of their times, but it is {} s before the one above",
                         list.back().time - request.time));
    if (!(request.hit > 0) || !(request.hit <= request.miss) || !std::isfinite(request.miss))
        fail(fmt::format("expected a request that takes some time, and no less at a miss, not {} s and {} s",
                         request.hit, request.miss));
    list.push_back(std::move(request));
}

}  // namespace detail

namespace {

using detail::RequestCollector;

/// Seconds since 1970 of `2024-11-15 16:57:50`, perhaps with decimals and `+00:00`; none for another text.
std::optional<double> seconds_of(std::string_view text) {
    if (text.ends_with("+00:00")) text.remove_suffix(6);
    // A digit stands for any digit.
    constexpr std::string_view form = "0000-00-00 00:00:00";
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    const bool formed =
        text.size() >= form.size() && std::equal(form.begin(), form.end(), text.begin(), [&](char f, char c) {
            return digit(f) ? digit(c) : f == c || (f == ' ' && c == 'T');
        });
    if (!formed) return {};
    const auto number = [&](std::size_t at, std::size_t size) {
        return base::parse_numeral<int>(text.substr(at, size)).value_or(0);
    };
    const std::chrono::year_month_day date{std::chrono::year(number(0, 4)),
                                           std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                           std::chrono::day(static_cast<unsigned>(number(8, 2)))};
    // Seconds and their decimals: a number that begins with a digit.
    const auto seconds = real_number(text.substr(17));
    if (!date.ok() || number(11, 2) > 23 || number(14, 2) > 59 || !seconds || *seconds >= 61) return {};
    return std::chrono::duration<double>(std::chrono::sys_days(date).time_since_epoch()).count() +
           3600.0 * number(11, 2) + 60.0 * number(14, 2) + *seconds;
}

double time_of(const CsvReader& rows, std::size_t column) {
    const auto time = seconds_of(rows.text(column));
    if (!time)
        rows.fail(column,
                  fmt::format("expected a time such as 2024-11-15 16:57:50, not {}", base::shown(rows.text(column))));
    return *time;
}

/// Of a request whose time at a hit is known.
TracedRequest timed(double time, std::string key, double seconds, const RequestCosts& costs) {
    return {time, std::move(key), seconds, costs.factor * seconds + costs.extra};
}

void read_table(std::istream& in, const std::string& file, const RequestCosts& costs, RequestCollector& into) {
    CsvReader rows(in, file, {{"time"}, {"key"}, {"size"}}, CsvReader::Header::required);
    while (rows.next())
        into.add(timed(rows.number(0, "time"), std::string(rows.text(1)), rows.number(2, "time"), costs), rows.line());
}

void read_azure(std::istream& in, const std::string& file, const RequestCosts& costs, RequestCollector& into) {
    CsvReader rows(in, file, {{"TIMESTAMP"}, {"ContextTokens"}, {"GeneratedTokens"}}, CsvReader::Header::required);
    while (rows.next()) {
        const double prompt = rows.number(1);
        const double seconds = costs.fixed + costs.prefill * prompt + costs.decode * rows.number(2);
        into.add({time_of(rows, 0), {}, seconds, seconds, prompt}, rows.line());
    }
    into.note("the format does not say what requests share, so none has data of its own");
}

void read_lora(std::istream& in, const std::string& file, const RequestCosts& costs, RequestCollector& into) {
    enum Columns { created, status, seconds, model };
    CsvReader rows(in, file,
                   {{"gmt_create"},
                    {"predict_status"},
                    {"exec_time_seconds"},
                    {"checkpoint_model_version_id"},
                    {"predict_type", false},
                    {"groupId", false},
                    {"prompt_length", false},
                    {"negative_prompt_length", false},
                    {"num_images_per_prompt", false},
                    {"num_inference_steps", false},
                    {"num_lora", false}},
                   CsvReader::Header::required);
    std::size_t failed = 0, instant = 0;
    while (rows.next()) {
        if (rows.text(status) != "SUCCEED") {
            ++failed;
        } else if (const double time = rows.number(seconds, "time"); time == 0) {
            ++instant;
        } else {
            into.add(timed(time_of(rows, created), std::string(rows.text(model)), time, costs), rows.line());
        }
    }
    into.passed_over(failed, "did not succeed");
    into.passed_over(instant, "took no time");
}

void read_swim_paths(std::istream& in, const std::string& file, const RequestCosts& costs, RequestCollector& into) {
    SwimReader jobs(in, file);
    while (const auto job = jobs.next())
        into.add(timed(job->submit, std::string(job->path),
                       std::max(1.0, std::ceil(job->map_bytes / TraceSizes::block)), costs),
                 jobs.line());
    into.passed_over(jobs.without_bytes(), "have no bytes");
}

void read_swf_executables(std::istream& in, const std::string& file, const RequestCosts& costs,
                          RequestCollector& into) {
    SwfReader jobs(in, file);
    std::size_t unknown = 0;
    while (const auto job = jobs.next()) {
        if (job->run_time.value_or(0) > 0)
            into.add(timed(job->submit, job->executable ? std::to_string(*job->executable) : "", *job->run_time, costs),
                     jobs.line());
        else
            ++unknown;
    }
    into.passed_over(unknown, "have no run time");
}

/// A key that stands once is none: its request is a miss that finds nothing anywhere.
void drop_single_keys(RequestTrace& trace) {
    std::unordered_map<std::string, std::size_t> times;
    for (const TracedRequest& request : trace.requests) ++times[request.key];
    for (TracedRequest& request : trace.requests) {
        if (!request.key.empty() && times[request.key] > 1) continue;
        request.key.clear();
        request.hit = request.miss;
        request.saved = 0;
    }
}

}  // namespace

std::optional<RequestFormat> request_format(std::string_view path) {
    if (path.ends_with(".jsonl")) return RequestFormat::mooncake;
    if (path.ends_with(".tsv")) return RequestFormat::swim;
    if (path.ends_with(".swf")) return RequestFormat::swf;
    if (path.ends_with(".csv")) return RequestFormat::csv;
    return {};
}

RequestTrace read_requests(std::istream& in, const std::string& file, RequestFormat format, const RequestCosts& costs) {
    RequestTrace trace;
    RequestCollector into(trace, file);
    switch (format) {
        case RequestFormat::mooncake:
            detail::read_blocks(in, file, costs, into);
            break;
        case RequestFormat::azure:
            read_azure(in, file, costs, into);
            break;
        case RequestFormat::lora:
            read_lora(in, file, costs, into);
            break;
        case RequestFormat::swim:
            read_swim_paths(in, file, costs, into);
            break;
        case RequestFormat::swf:
            read_swf_executables(in, file, costs, into);
            break;
        case RequestFormat::csv:
            read_table(in, file, costs, into);
            break;
    }
    if (trace.requests.empty()) throw InputError::in_file(file, "expected at least one request");
    drop_single_keys(trace);
    return trace;
}

}  // namespace schedproof::input
