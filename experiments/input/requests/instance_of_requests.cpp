/// Keys are given homes, homes become types, and requests tasks of these.
///
/// Means are taken over all requests first, since sizes are in units of them. What is written of a measurement is exact
/// from then on: rates are one over a time of four digits, so that work, which policies compare, is a small whole
/// number over a common denominator.
#include "experiments/input/requests/instance_of_requests.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "experiments/input/text/csv_reader.hpp"
#include "model/base/nearest.hpp"
#include "model/base/sha256.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

namespace {

/// A measurement to so many digits, exact from here on.
Rational digits_of(double value, int digits) { return Rational::parse(fmt::format("{:.{}g}", value, digits)).value(); }

/// Of services that take so long in the mean. Times of four digits keep work small as whole numbers, which is what
/// policies compare.
Rational rate_of(double seconds) { return Rational(1) / digits_of(seconds, 4); }

/// The first server that keeps a key's data: by the first bits of a fingerprint, below 2^60.
std::size_t first_home(const std::string& key, std::size_t servers) {
    const std::string digits = base::sha256(key).substr(0, 15);
    std::uint64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
    return static_cast<std::size_t>(number % servers);
}

struct Means {
    std::size_t keyed = 0, single = 0;
    double hit = 0, miss = 0, alone = 0;  // of requests with a key, and without
};

Means means_of(const std::vector<TracedRequest>& requests) {
    Means means;
    for (const TracedRequest& request : requests) {
        const bool keyed = !request.key.empty();
        ++(keyed ? means.keyed : means.single);
        (keyed ? means.miss : means.alone) += request.miss;
        if (keyed) means.hit += request.hit;
    }
    if (means.keyed > 0) {
        means.hit /= static_cast<double>(means.keyed);
        means.miss /= static_cast<double>(means.keyed);
    }
    if (means.single > 0) means.alone /= static_cast<double>(means.single);
    return means;
}

/// The servers of a home: consecutive ones of the ring, ascending.
std::vector<ServerId> homes_from(std::size_t first, const RequestCluster& cluster) {
    std::vector<std::size_t> servers;
    for (std::size_t i = 0; i < cluster.replicas; ++i) servers.push_back((first + i) % cluster.servers);
    std::sort(servers.begin(), servers.end());
    std::vector<ServerId> ids;
    for (const std::size_t m : servers) ids.emplace_back(m);
    return ids;
}

/// Levels and servers; where no request has a key, the remote level is one that nobody uses.
queueing::InstanceData cluster_of(const RequestCluster& cluster, const Means& means) {
    queueing::InstanceData data;
    data.name = cluster.name;
    data.source = cluster.source;
    data.time = queueing::ContinuousTime{"s"};
    const double hit = means.keyed > 0 ? means.hit : means.alone, miss = means.keyed > 0 ? means.miss : 2 * means.alone;
    data.levels = {{"hit", rate_of(hit)}, {"miss", rate_of(miss)}};
    if (data.levels[1].rate >= data.levels[0].rate)
        throw InputError(fmt::format(
            "expected requests that take longer at a miss, {} s in the mean, than at a hit, {} s", miss, hit));
    for (std::size_t m = 0; m < cluster.servers; ++m) data.servers.push_back({fmt::format("s{}", m), {}});
    return data;
}

}  // namespace

namespace {

/// A type for each home, and one for requests without a key.
struct RequestTypes {
    std::unordered_map<std::string, std::size_t> home_of_key;
    std::map<std::size_t, std::size_t> type_of_home;
    std::size_t single = 0;
    [[nodiscard]] std::size_t of(const TracedRequest& request) const {
        return request.key.empty() ? single : type_of_home.at(home_of_key.at(request.key));
    }
};

RequestTypes add_types(const std::vector<TracedRequest>& requests, const RequestCluster& cluster, const Means& means,
                       queueing::InstanceData& data) {
    RequestTypes types;
    for (const TracedRequest& request : requests)
        if (!request.key.empty() && !types.home_of_key.contains(request.key)) {
            const std::size_t home = first_home(request.key, cluster.servers);
            types.home_of_key.emplace(request.key, home);
            types.type_of_home.emplace(home, 0);
        }
    for (auto& [home, type] : types.type_of_home) {
        type = data.types.size();
        data.types.push_back({.name = fmt::format("of-s{}", home), .replicas = homes_from(home, cluster)});
    }
    types.single = data.types.size();
    if (means.single == 0) return types;
    const RequestCluster everywhere{.servers = cluster.servers, .replicas = cluster.servers};
    data.types.push_back({.name = "single", .replicas = homes_from(0, everywhere)});
    // The second is that of a server without the data, of which there is none.
    if (means.keyed > 0) data.types.back().rates = {rate_of(means.alone), rate_of(means.alone) / Rational(2)};
    return types;
}

}  // namespace

ImportedRequests import_requests(const RequestTrace& trace, const RequestCluster& cluster) {
    require(cluster.replicas >= 1 && cluster.replicas <= cluster.servers, "replicas on servers of the cluster");
    const std::vector<TracedRequest>& requests = trace.requests;
    const double span = requests.empty() ? 0 : requests.back().time;
    if (!(span > 0)) throw InputError("expected requests over some time, but all come at once");
    const Means means = means_of(requests);
    ImportedRequests imported{cluster_of(cluster, means), {}};
    const RequestTypes types = add_types(requests, cluster, means, imported.data);
    std::vector<std::size_t> count(imported.data.types.size());
    for (const TracedRequest& request : requests) {
        const std::size_t type = types.of(request);
        ++count[type];
        imported.tasks.push_back({request.time, TaskTypeId(type),
                                  request.miss / (type == types.single ? means.alone : means.miss), request.tokens,
                                  request.saved});
    }
    for (const std::size_t of_type : count)
        imported.data.rates.push_back(digits_of(static_cast<double>(of_type) / span, 6));
    return imported;
}

std::string write_typed_tasks(const queueing::Instance& instance, const std::vector<TypedTask>& tasks) {
    std::string text = "time,type,size,tokens,saved\n";
    for (const TypedTask& task : tasks)
        text += fmt::format("{},{},{},{},{}\n", task.time, instance.type(task.type).name, task.size, task.tokens,
                            task.saved);
    return text;
}

std::vector<TypedTask> read_typed_tasks(std::istream& in, const std::string& file, const queueing::Instance& instance) {
    enum Columns { time, type, size, tokens, saved };
    CsvReader rows(in, file, {{"time"}, {"type"}, {"size"}, {"tokens", false}, {"saved", false}},
                   CsvReader::Header::required);
    std::unordered_map<std::string_view, TaskTypeId> types;
    std::vector<std::string_view> names;
    for (const TaskTypeId id : instance.types()) {
        names.push_back(instance.type(id).name);
        types.emplace(names.back(), id);
    }
    std::vector<TypedTask> tasks;
    while (rows.next()) {
        if (tasks.size() == max_requests) rows.refuse("", fmt::format("expected at most {} tasks", max_requests));
        const auto known = types.find(rows.text(type));
        if (known == types.end())
            rows.fail(type, fmt::format("expected a type of the instance, not {}{}", base::shown(rows.text(type)),
                                        base::did_you_mean(rows.text(type), names)));
        TypedTask task{rows.number(time, "time"), known->second, rows.number(size)};
        if (rows.has(tokens)) task.tokens = rows.number(tokens);
        if (rows.has(saved)) task.saved = rows.number(saved);
        if (!tasks.empty() && task.time < tasks.back().time)
            rows.fail(time, fmt::format("expected tasks in the order of their times, but {} is before {}", task.time,
                                        tasks.back().time));
        if (task.size == 0) rows.fail(size, "expected a size above 0");
        if (task.saved > task.tokens)
            rows.fail(saved,
                      fmt::format("expected at most the {} tokens of the prompt, not {}", task.tokens, task.saved));
        tasks.push_back(task);
    }
    if (tasks.empty()) throw InputError::in_file(file, "expected at least one task");
    return tasks;
}

}  // namespace schedproof::input
