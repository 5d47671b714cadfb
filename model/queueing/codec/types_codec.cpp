/// Task types: listed one by one, or generated.
///
/// A large symmetric cluster has as many types as servers, or as sets of three servers; written out they would bury
/// the one line that says what they are. So an item of the list may be a generator: `cyclic` (each server and its
/// successors in a ring), `combinations` (every set of a size) or `random` (sets drawn uniformly, from a seed).
#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "model/base/text.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/queueing/codec/decode.hpp"

namespace schedproof::queueing::codec {

namespace {

/// SplitMix64: one multiplication chain per number, the same on every machine. Placements need no better.
class Draws {
  public:
    explicit Draws(std::uint64_t seed) : state_(seed) {}
    /// Uniform over 0..n-1. Requires n >= 1.
    std::uint64_t below(std::uint64_t n) {
        // Numbers under 2^64 mod n are redrawn, so that every residue is equally likely.
        const std::uint64_t reject = (0 - n) % n;
        for (;;)
            if (const std::uint64_t value = next(); value >= reject) return value % n;
    }

  private:
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31);
    }
    std::uint64_t state_;
};

class TypeDecoder {
  public:
    explicit TypeDecoder(const std::vector<Server>& servers) : servers_(servers), index_(index_names(servers)) {}

    void decode(const Cursor& at) {
        at.expect_table("a task type: a table with name and replicas, with name and rates at servers, or a generator");
        at.allow_only({"name", "replicas", "cost", "exponent", "rates", "preference", "class", "cyclic", "combinations",
                       "random"});
        TaskType model;
        if (const auto cost = at.find("cost")) {
            model.cost = cost->number();
            if (model.cost.sign() <= 0) cost->fail("expected a cost above 0, not " + display(model.cost));
        }
        if (const auto exponent = at.find("exponent"))
            model.exponent = static_cast<unsigned>(exponent->count(1, 16, "an exponent"));
        if (const auto number = at.find("class"))
            model.class_number = static_cast<std::uint32_t>(number->count(0, UINT32_MAX, "the number of a class"));
        if (const auto preference = at.find("preference"))
            model.preference = servers_of(*preference, "a list of servers, the one to try first before the others");
        if (const auto rates = at.find("rates")) {
            if (rates->is_table())
                model.at_servers = decode_rates_at_servers(*rates);
            else
                model.rates = decode_rates(*rates);
        }
        std::size_t forms = 0;
        for (const std::string_view form : {"replicas", "cyclic", "combinations", "random"})
            forms += at.find(form) ? 1 : 0;
        name_ = at.find("name");
        if (forms == 0 && !model.at_servers.empty()) return add(std::move(model));
        if (forms != 1) at.fail("expected exactly one of 'replicas', 'cyclic', 'combinations' and 'random'");
        if (const auto replicas = at.find("replicas")) return listed(*replicas, std::move(model));
        if (const auto cyclic = at.find("cyclic")) return generate_cyclic(*cyclic, model);
        if (const auto combinations = at.find("combinations")) return generate_combinations(*combinations, model);
        if (const auto random = at.find("random")) return generate_random(*random, model);
    }

    std::vector<TaskType> take() { return std::move(types_); }

  private:
    /// The servers that a generator speaks of: `servers` consecutive ones from `first` on, sets of `replicas` of them.
    struct Ground {
        std::size_t first, servers, replicas;
    };

    std::vector<Rational> decode_rates(const Cursor& at) {
        const std::size_t size = at.array("a list of rates, one per locality level, local first").size();
        if (size == 0 || size > max_levels) at.fail("expected one rate per locality level");
        std::vector<Rational> rates;
        for (std::size_t i = 0; i < size; ++i) {
            rates.push_back(at.item(i).number());
            common_.add(at, rates.back());
        }
        return rates;
    }

    /// `{s0 = "9/10", s1 = "1/10"}`: the servers that can serve the type.
    std::vector<std::optional<Rational>> decode_rates_at_servers(const Cursor& at) {
        std::vector<std::optional<Rational>> rates(servers_.size());
        require_room(at, 1, servers_.size());
        for (const Field& field : at.table("a table of rates at servers")) {
            const Cursor entry = at.entry(field);
            const auto server = index_.find(field.key);
            if (server == index_.end()) {
                std::vector<std::string_view> names;
                for (const Server& known : servers_) names.emplace_back(known.name);
                entry.fail(
                    fmt::format("expected a known server, not {}{}", shown(field.key), did_you_mean(field.key, names)));
            }
            rates[server->second] = entry.number();
            common_.add(entry, *rates[server->second]);
        }
        if (std::none_of(rates.begin(), rates.end(), [](const auto& rate) { return rate.has_value(); }))
            at.fail("expected the rate of at least one server");
        return rates;
    }

    void add(TaskType type) {
        type.name = name_ ? name_->name() : "t" + std::to_string(types_.size());
        replicas_ += std::max(type.replicas.size(), type.at_servers.size()) + type.preference.size();
        types_.push_back(std::move(type));
    }

    void listed(const Cursor& at, TaskType type) {
        type.replicas = servers_of(at, "a list of servers that hold a replica");
        std::sort(type.replicas.begin(), type.replicas.end());
        add(std::move(type));
    }

    /// As they are listed.
    std::vector<ServerId> servers_of(const Cursor& at, std::string_view what) {
        const std::size_t size = at.array(what).size();
        if (size == 0) at.fail("expected at least one server");
        require_room(at, 1, size);
        std::vector<ServerId> listed;
        for (std::size_t i = 0; i < size; ++i) listed.emplace_back(known_name(at.item(i), index_, servers_));
        std::vector<ServerId> sorted = listed;
        std::sort(sorted.begin(), sorted.end());
        const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
        if (twice != sorted.end())
            at.fail("expected each server once, but " + shown(servers_[twice->index()].name) + " stands twice");
        return listed;
    }

    Ground ground(const Cursor& at) const {
        Ground result{0, servers_.size(), 0};
        if (const auto first = at.find("first"))
            result.first = first->count(0, servers_.size() - 1, "the position of a server");
        result.servers = servers_.size() - result.first;
        if (const auto servers = at.find("servers"))
            result.servers = servers->count(1, result.servers, "a number of servers of the cluster");
        result.replicas =
            at.require("replicas", "replicas per task type").count(1, result.servers, "replicas per task type");
        return result;
    }

    void generate_cyclic(const Cursor& at, const TaskType& model) {
        at.expect_table("a table with replicas and, optionally, servers and first");
        at.allow_only({"first", "servers", "replicas"});
        const Ground on = ground(at);
        // With a replica on every server of the ring, all rotations are the same set.
        const std::size_t count = on.replicas == on.servers ? 1 : on.servers;
        require_room(at, count, on.replicas);
        for (std::size_t i = 0; i < count; ++i) {
            std::vector<std::size_t> chosen;
            for (std::size_t k = 0; k < on.replicas; ++k) chosen.push_back((i + k) % on.servers);
            add(on, model, i, chosen);
        }
    }

    void generate_combinations(const Cursor& at, const TaskType& model) {
        at.expect_table("a table with replicas and, optionally, servers and first");
        at.allow_only({"first", "servers", "replicas"});
        const Ground on = ground(at);
        std::size_t count = 1;
        const std::size_t short_side = std::min(on.replicas, on.servers - on.replicas);
        for (std::size_t k = 1; k <= short_side; ++k) {
            count = count * (on.servers - short_side + k) / k;  // exact: a binomial coefficient at every k
            require_room(at, count, on.replicas);  // each is below its successor, so this bounds the product
        }
        require_room(at, count, on.replicas);
        std::vector<std::size_t> chosen(on.replicas);
        std::iota(chosen.begin(), chosen.end(), std::size_t{0});
        for (std::size_t i = 0; i < count; ++i) {
            add(on, model, i, chosen);
            std::size_t k = on.replicas;
            while (k > 0 && chosen[k - 1] == on.servers - on.replicas + k - 1) --k;
            if (k == 0) break;
            ++chosen[k - 1];
            for (; k < on.replicas; ++k) chosen[k] = chosen[k - 1] + 1;
        }
    }

    void generate_random(const Cursor& at, const TaskType& model) {
        at.expect_table("a table with count, replicas, seed and, optionally, servers and first");
        at.allow_only({"first", "servers", "replicas", "count", "seed"});
        const Ground on = ground(at);
        const std::size_t count =
            at.require("count", "the number of task types").count(1, max_types, "a number of task types");
        Draws draws(at.require("seed", "where the drawing starts").count(0, INT64_MAX, "a seed"));
        require_room(at, count, on.replicas);
        std::vector<std::size_t> pool(on.servers);
        std::iota(pool.begin(), pool.end(), std::size_t{0});
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t k = 0; k < on.replicas; ++k) std::swap(pool[k], pool[k + draws.below(on.servers - k)]);
            add(on, model, i, {pool.begin(), pool.begin() + static_cast<std::ptrdiff_t>(on.replicas)});
        }
    }

    void add(const Ground& on, const TaskType& model, std::size_t number, const std::vector<std::size_t>& chosen) {
        TaskType type = model;
        type.name = (name_ ? name_->name(base::max_generated_name_bytes) + std::to_string(number)
                           : "t" + std::to_string(types_.size()));
        type.replicas.reserve(chosen.size());
        for (const std::size_t server : chosen) type.replicas.emplace_back(on.first + server);
        std::sort(type.replicas.begin(), type.replicas.end());
        replicas_ += type.replicas.size();
        types_.push_back(std::move(type));
    }

    /// Throws unless so many types fit into the limits. Asked before anything of that size is built.
    void require_room(const Cursor& at, std::size_t count, std::size_t replicas_each) {
        if (count > max_types - types_.size()) at.fail(fmt::format("expected at most {} task types", max_types));
        const std::size_t left = max_replicas - replicas_;
        if (replicas_each > left || count > left / std::max<std::size_t>(replicas_each, 1))
            at.fail(fmt::format("expected at most {} replicas of all task types together", max_replicas));
    }

    const std::vector<Server>& servers_;
    Index index_;
    std::vector<TaskType> types_;
    std::optional<Cursor> name_;
    CommonDenominator common_;  // of the rates
    std::size_t replicas_ = 0;
};

}  // namespace

std::vector<TaskType> decode_types(const Cursor& at, const std::vector<Server>& servers) {
    TypeDecoder decoder(servers);
    const std::size_t size = at.array("a list of task types").size();
    for (std::size_t i = 0; i < size; ++i) decoder.decode(at.item(i));
    return decoder.take();
}

}  // namespace schedproof::queueing::codec
