#include "proofs/assignment/theorems/shape_range.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>

#include "model/base/nearest.hpp"

namespace schedproof::assignment {

namespace {

/// A replica set as a bit per server.
using Set = std::uint32_t;

/// Of ranges that name no replicas.
constexpr Between any_replicas{1, 8};

std::string text(std::string_view key, const Between& between) {
    return between.least == between.most ? fmt::format("{}={}", key, between.least)
                                         : fmt::format("{}={}..{}", key, between.least, between.most);
}

std::optional<std::uint32_t> number(std::string_view text) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// Appends every list of cores and every list of replica sets.
class AllShapes {
  public:
    AllShapes(const ShapeRange& range, std::uint64_t limit) : range_(range), limit_(limit) {}

    void with_cores(std::uint32_t servers) {
        if (cores_.size() == servers) {
            for (std::uint32_t tasks = range_.tasks.least; tasks <= range_.tasks.most; ++tasks) with_sets(tasks);
            return;
        }
        for (std::uint32_t c = range_.cores.most; c >= range_.cores.least; --c) {
            cores_.push_back(c);
            with_cores(servers);
            cores_.pop_back();
        }
    }
    std::vector<std::shared_ptr<const Shape>> found;

  private:
    void with_sets(std::uint32_t tasks) {
        if (sets_.size() == tasks) {
            if (found.size() >= limit_)
                throw LimitExceeded("shapes", "more than " + std::to_string(limit_) + " shapes");
            add();
            return;
        }
        for (Set set = 1; set < 1U << cores_.size(); ++set) {
            const auto size = static_cast<std::uint32_t>(__builtin_popcount(set));
            if (size < range_.replicas.least || size > range_.replicas.most) continue;
            sets_.push_back(set);
            with_sets(tasks);
            sets_.pop_back();
        }
    }
    void add() {
        Replicas replicas;
        for (const Set set : sets_) {
            std::vector<ServerId> holders;
            for (std::size_t s = 0; s < cores_.size(); ++s)
                if ((set >> s & 1U) != 0) holders.emplace_back(s);
            replicas.add(holders);
        }
        found.push_back(std::make_shared<const Shape>(cores_, std::move(replicas)));
    }

    const ShapeRange& range_;
    std::uint64_t limit_;
    std::vector<std::uint32_t> cores_;  // by server
    std::vector<Set> sets_;             // by task
};

}  // namespace

ShapeRange parse_shape_range(std::string_view text) {
    const std::string example = ", as in 'servers=2 cores=1..2 tasks=3'";
    const auto fail = [&](const std::string& expected) { throw InputError::at_key("shape", "expected " + expected); };
    ShapeRange range;
    range.replicas = any_replicas;
    std::map<std::string, Between*> open{
        {"servers", &range.servers}, {"cores", &range.cores}, {"tasks", &range.tasks}, {"replicas", &range.replicas}};
    const std::vector<std::string> keys{"servers", "cores", "tasks", "replicas"};
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view word = text.substr(at, std::min(text.find(' ', at), text.size()) - at);
        at += word.size() + 1;
        if (word.empty()) continue;
        const std::size_t equals = word.find('=');
        const std::string key(word.substr(0, equals));
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            fail(fmt::format("servers, cores, tasks or replicas, not '{}'{}{}", key, base::did_you_mean(key, keys),
                             example));
        if (!open.contains(key)) fail("'" + key + "' once" + example);
        const std::string_view value = equals == std::string_view::npos ? "" : word.substr(equals + 1);
        const std::size_t dots = value.find("..");
        const auto least = number(value.substr(0, dots));
        const auto most = dots == std::string_view::npos ? least : number(value.substr(dots + 2));
        if (!least || !most || *least < 1 || *most < *least || *most > 8)
            fail(fmt::format("{}=N or {}=N..M with 1 <= N <= M <= 8, not '{}'", key, key, word));
        *open[key] = {*least, *most};
        open.erase(key);
    }
    open.erase("replicas");
    if (!open.empty()) fail("'" + open.begin()->first + "=N'" + example);
    return range;
}

std::string name(const ShapeRange& range) {
    const std::string sizes =
        fmt::format("{} {} {}", text("servers", range.servers), text("cores", range.cores), text("tasks", range.tasks));
    const bool any = range.replicas.least == any_replicas.least && range.replicas.most == any_replicas.most;
    return any ? sizes : sizes + " " + text("replicas", range.replicas);
}

std::vector<std::shared_ptr<const Shape>> shapes(const ShapeRange& range, std::uint64_t limit) {
    AllShapes all(range, limit);
    for (std::uint32_t servers = range.servers.least; servers <= range.servers.most; ++servers) all.with_cores(servers);
    return std::move(all.found);
}

}  // namespace schedproof::assignment
