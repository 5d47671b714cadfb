/// From the blocks of a file system to a queueing instance.
///
/// Blocks with the same set of replica servers are one task type, with the number of blocks, or their bytes, as its
/// weight. Racks become the groupings of the servers; outer groupings that hold all servers tell nothing apart and are
/// dropped, so the number of locality levels is what the listing shows. What a listing cannot know (rates, arrivals)
/// is given or assumed, and every assumption is returned as a note.
#include "experiments/input/fsck/instance_of_listing.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"

namespace schedproof::input {

namespace {

using queueing::InstanceData;
using queueing::LevelInfo;

[[noreturn]] void wrong(std::string key, std::string expected) {
    throw InputError::at_key(std::move(key), std::move(expected));
}

/// `/dc1/rack2` as its names, innermost first.
std::vector<std::string> groups_of_rack(std::string_view rack) {
    std::vector<std::string> names;
    while (!rack.empty()) {
        const std::size_t slash = rack.rfind('/');
        const std::size_t start = slash == std::string_view::npos ? 0 : slash + 1;
        if (start < rack.size()) names.emplace_back(rack.substr(start));
        rack = rack.substr(0, slash == std::string_view::npos ? 0 : slash);
    }
    return names;
}

struct SetHash {
    std::size_t operator()(const std::vector<ServerId>& set) const {
        std::uint64_t hash = 0xCBF29CE484222325U;  // FNV-1a over the indices
        for (const ServerId m : set) hash = (hash ^ m.index()) * 0x100000001B3U;
        return static_cast<std::size_t>(hash);
    }
};

class Importer {
  public:
    Importer(const Listing& listing, const ImportOptions& options) : listing_(listing), options_(options) {}

    ImportedInstance run() {
        result_.data.name = options_.name;
        result_.data.source = options_.source;
        add_servers();
        add_levels();
        add_types();
        add_rates();
        add_law();
        return std::move(result_);
    }

  private:
    InstanceData& data() { return result_.data; }
    void say(std::string note) { result_.notes.push_back(std::move(note)); }

    void add_servers() {
        if (listing_.servers.empty())
            wrong("servers", "expected at least one server that holds a replica: was -locations given?");
        if (listing_.servers.size() > queueing::max_servers)
            wrong("servers", fmt::format("expected at most {} servers", queueing::max_servers));
        for (const ListedServer& server : listing_.servers)
            data().servers.push_back({server.name, groups_of_rack(server.rack)});
        depth_ = data().servers.front().groups.size();
        for (std::size_t m = 0; m < data().servers.size(); ++m)
            if (data().servers[m].groups.size() != depth_)
                wrong("servers." + data().servers[m].name,
                      fmt::format("expected racks nested to one depth, but {} lies on {} and {} on {}",
                                  base::shown(listing_.servers[m].name), base::shown(listing_.servers[m].rack),
                                  base::shown(listing_.servers[0].name), base::shown(listing_.servers[0].rack)));
    }

    /// Number of groupings, from the rack outwards, that tell servers apart.
    [[nodiscard]] std::size_t telling_groupings() const {
        std::size_t groupings = depth_;
        while (groupings > 0) {
            const auto& outermost = result_.data.servers.front().groups[groupings - 1];
            const bool one =
                std::all_of(result_.data.servers.begin(), result_.data.servers.end(),
                            [&](const queueing::Server& server) { return server.groups[groupings - 1] == outermost; });
            if (!one) break;
            --groupings;
        }
        return groupings;
    }

    void add_levels() {
        const std::size_t groupings = telling_groupings();
        if (depth_ == 0)
            say("no location names a rack: all servers are taken to be on one, so there are two levels of locality");
        else if (groupings == 0)
            say("all servers are on one rack, so there are two levels of locality");
        if (!options_.levels.empty()) {
            data().levels = options_.levels;
            if (options_.levels.size() > groupings + 2)
                wrong("levels", fmt::format("expected at most {} levels, which is what the racks tell apart, not {}",
                                            groupings + 2, options_.levels.size()));
            if (options_.levels.size() < groupings + 2)
                say(fmt::format("{} outer grouping(s) of the racks are ignored",
                                groupings + 2 - options_.levels.size()));
            return;
        }
        const std::size_t steps = groupings + 1;
        std::string rates;
        for (std::size_t i = 0; i <= steps; ++i) {
            std::string name = i == 0 ? "local" : i == steps ? "remote" : i == 1 ? "rack" : fmt::format("group{}", i);
            data().levels.push_back({std::move(name), Rational(4) / Rational(5) -
                                                          Rational(3) / Rational(5) * Rational(i) / Rational(steps)});
            rates += fmt::format("{}{} {}", i == 0 ? "" : ", ", data().levels.back().name,
                                 data().levels.back().rate.to_string());
        }
        say("a listing has no service rates; assumed: " + rates);
    }

    void add_types() {
        result_.type_of_block.resize(listing_.blocks.size());
        std::size_t files = 0, bare = 0, coded = 0;
        for (const ListedFile& file : listing_.files) {
            if (!is_under(file.path, options_.under)) continue;
            ++files;
            for (std::size_t i = file.first_block; i < file.first_block + file.blocks; ++i) {
                const ListedBlock& block = listing_.blocks[i];
                if (file.erasure_coded && !options_.erasure_coded)
                    ++coded;
                else if (block.replicas == 0)
                    ++bare;
                else
                    result_.type_of_block[i] = type_of(block);
            }
        }
        if (files == 0)
            wrong("under",
                  fmt::format("expected a path that holds files of the listing, not {}", base::shown(options_.under)));
        if (bare != 0) say(fmt::format("{} block(s) without a usable replica are left out", bare));
        if (coded != 0)
            say(fmt::format("{} erasure-coded block group(s) are left out: a location holds a cell, not a copy",
                            coded));
        if (data().types.empty()) wrong("types", "expected at least one block with a replica");
    }

    TaskTypeId type_of(const ListedBlock& block) {
        const auto replicas = listing_.replicas_of(block);
        set_.assign(replicas.begin(), replicas.end());
        std::sort(set_.begin(), set_.end());
        const auto [entry, is_new] = types_.try_emplace(set_, data().types.size());
        if (is_new) {
            if (data().types.size() == queueing::max_types)
                wrong("types", fmt::format("expected at most {} different replica sets", queueing::max_types));
            queueing::TaskType type;
            type.name = "t" + std::to_string(data().types.size());
            type.replicas = set_;
            data().types.push_back(std::move(type));
            weights_.emplace_back();
        }
        weights_[entry->second] += options_.weight == BlockWeight::bytes ? Rational(block.bytes) : Rational(1);
        return TaskTypeId(entry->second);
    }

    void add_rates() {
        Rational sum;
        for (const Rational& weight : weights_) sum += weight;
        if (sum.sign() == 0) wrong("weight", "expected a block of at least one byte when types weigh their bytes");
        const Rational capacity = Rational(data().servers.size()) * data().levels.front().rate;
        const Rational total = options_.total_rate.value_or(capacity / Rational(2));
        if (total.sign() < 0) wrong("total-rate", "expected a total rate of at least 0, not " + total.to_string());
        for (const Rational& weight : weights_) data().rates.push_back(total * weight / sum);
        if (!options_.total_rate)
            say(fmt::format(
                "a listing has no arrival rate; assumed: {} tasks a slot, half of {} servers at the local rate",
                display(total), data().servers.size()));
    }

    void add_law() {
        const std::vector<Rational>& rates = data().rates;
        if (options_.arrivals == ListingArrivals::rates) return;
        if (options_.arrivals == ListingArrivals::bernoulli) {
            const auto most = std::max_element(rates.begin(), rates.end());
            if (*most > 1)
                wrong("arrivals",
                      fmt::format("expected at most one task of a type in a slot on average, but the rate of {} is {}",
                                  data().types[static_cast<std::size_t>(most - rates.begin())].name, display(*most)));
            data().arrivals = queueing::ArrivalLaw::bernoulli(rates);
            return;
        }
        Rational total;
        for (const Rational& rate : rates) total += rate;
        if (total > 1) wrong("arrivals", "expected at most one task in a slot on average, not " + display(total));
        if (rates.size() * (rates.size() + 1) > queueing::max_law_cells)
            wrong("arrivals", fmt::format("expected a law of at most {} outcomes times task types, not {} types; "
                                          "independent types may be as many",
                                          queueing::max_law_cells, rates.size()));
        data().arrivals = queueing::ArrivalLaw::single(rates);
    }

    const Listing& listing_;
    const ImportOptions& options_;
    ImportedInstance result_;
    std::size_t depth_ = 0;
    std::unordered_map<std::vector<ServerId>, std::size_t, SetHash> types_;
    std::vector<ServerId> set_;
    std::vector<Rational> weights_;
};

}  // namespace

ImportedInstance import_instance(const Listing& listing, const ImportOptions& options) {
    return Importer(listing, options).run();
}

}  // namespace schedproof::input
