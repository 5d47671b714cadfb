#include "proofs/assignment/shape_range.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <optional>
#include <string>

#include "model/base/nearest.hpp"

namespace schedproof::assignment {

namespace {

/// A replica set as a bit per server.
using Set = std::uint32_t;

std::optional<std::uint32_t> number(std::string_view text) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// The largest sorted list of sets that renaming servers with as many cores gives: one name for all of a kind.
bool is_representative(const std::vector<std::uint32_t>& cores, const std::vector<Set>& sets) {
    std::vector<std::uint32_t> name(cores.size());
    std::iota(name.begin(), name.end(), 0U);
    do {
        bool keeps_cores = true;
        for (std::size_t s = 0; s < cores.size(); ++s) keeps_cores = keeps_cores && cores[name[s]] == cores[s];
        if (!keeps_cores) continue;
        std::vector<Set> renamed;
        for (const Set set : sets) {
            Set image = 0;
            for (std::size_t s = 0; s < cores.size(); ++s)
                if ((set >> s & 1U) != 0) image |= 1U << name[s];
            renamed.push_back(image);
        }
        std::sort(renamed.begin(), renamed.end());
        if (renamed < sets) return false;
    } while (std::next_permutation(name.begin(), name.end()));
    return true;
}

/// Appends every kind of shape with these cores and this number of tasks.
class Kinds {
  public:
    Kinds(const ShapeRange& range, std::uint64_t limit) : range_(range), limit_(limit) {}

    void with_cores(std::uint32_t servers, std::uint32_t most) {
        if (cores_.size() == servers) {
            for (std::uint32_t tasks = range_.tasks.least; tasks <= range_.tasks.most; ++tasks) with_sets(tasks, 1);
            return;
        }
        for (std::uint32_t c = most; c >= range_.cores.least; --c) {
            cores_.push_back(c);
            with_cores(servers, c);
            cores_.pop_back();
        }
    }
    std::vector<std::shared_ptr<const Shape>> found;

  private:
    void with_sets(std::uint32_t tasks, Set least) {
        if (sets_.size() == tasks) {
            if (++candidates_ > limit_)
                throw LimitExceeded("shapes", "more than " + std::to_string(limit_) + " candidates");
            if (is_representative(cores_, sets_)) add();
            return;
        }
        for (Set set = least; set < 1U << cores_.size(); ++set) {
            const auto size = static_cast<std::uint32_t>(__builtin_popcount(set));
            if (size < range_.replicas.least || size > range_.replicas.most) continue;
            sets_.push_back(set);
            with_sets(tasks, set);
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
    std::uint64_t candidates_ = 0;
    std::vector<std::uint32_t> cores_;  // descending
    std::vector<Set> sets_;             // ascending
};

}  // namespace

ShapeRange parse_shape_range(std::string_view text) {
    const std::string example = ", as in 'servers=2 cores=1..2 tasks=3'";
    const auto fail = [&](const std::string& expected) { throw InputError::at_key("shape", "expected " + expected); };
    ShapeRange range;
    range.replicas = {1, 8};
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

std::vector<std::shared_ptr<const Shape>> shapes(const ShapeRange& range, std::uint64_t limit) {
    Kinds kinds(range, limit);
    for (std::uint32_t servers = range.servers.least; servers <= range.servers.most; ++servers)
        kinds.with_cores(servers, range.cores.most);
    return std::move(kinds.found);
}

}  // namespace schedproof::assignment
