/// A backend of HAProxy: its `balance`, its servers and their weights.
///
/// Lines are words, with quotes and comments as HAProxy has them. Directives about anything but the choice of a server
/// (timeouts, checks, headers, logs) are passed over; those that choose servers by other means are notes.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>

#include "experiments/input/routers/router_config.hpp"
#include "model/base/nearest.hpp"
#include "model/base/numeral.hpp"
#include "model/base/split.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/language/operations.hpp"

namespace schedproof::input {

namespace {

using Words = std::vector<std::string>;

constexpr std::array<std::string_view, 19> sections{"global",  "defaults",    "frontend",    "backend",  "listen",
                                                    "peers",   "resolvers",   "userlist",    "cache",    "program",
                                                    "mailers", "log-forward", "http-errors", "fcgi-app", "crt-store",
                                                    "traces",  "log-profile", "acme",        "ring"};
/// What chooses servers besides `balance`.
constexpr std::array<std::string_view, 12> choosing{
    "stick",   "stick-table",   "cookie",         "use-server", "hash-type", "retries", "hash-balance-factor",
    "persist", "force-persist", "ignore-persist", "dispatch",   "redispatch"};
constexpr std::array<std::string_view, 9> by_hash{"source",  "uri",        "url_param", "hdr", "hash",
                                                  "req.hdr", "rdp-cookie", "log-hash",  "path"};
/// Options of a server with an argument that might be taken for an option.
constexpr std::array<std::string_view, 12> with_argument{"cookie",   "id",        "namespace", "observe",
                                                         "on-error", "proto",     "sni",       "check-sni",
                                                         "redir",    "resolvers", "addr",      "source"};

template <std::size_t n>
bool is_one_of(const std::array<std::string_view, n>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool chooses(const std::vector<std::string>& words) {
    return is_one_of(choosing, words[0]) || (words[0] == "option" && words.size() > 1 && words[1] == "redispatch");
}

struct Line {
    std::size_t number;
    Words words;
};

/// The lines of a section, without its head.
struct Section {
    std::string name;
    std::size_t line;
    std::vector<Line> lines = {};
};

class HaproxyBackend {
  public:
    HaproxyBackend(const std::string& file, Section section) : file_(file), section_(std::move(section)) {
        config_.kind = "HAProxy backend";
        config_.name = section_.name;
    }

    RouterConfig run() {
        for (const Line& line : section_.lines) {
            const std::string& word = line.words.front();
            if (word == "balance") {
                balance_ = line;
            } else if (word == "server") {
                server(line);
            } else if (word == "default-server") {
                usual_ = options_of(line, 1);
            } else if (word == "server-template" || word.starts_with(".")) {
                fail(line.number, word, "expected servers by name, and no conditions: how many there are is not known");
            } else if (chooses(line.words)) {
                note(line.number, word, "it may choose another server, which the rule does not");
            }
        }
        if (config_.backends.empty())
            throw InputError::at_line(file_, section_.line, "expected a backend with servers");
        rule();
        return std::move(config_);
    }

  private:
    void note(std::size_t line, std::string key, std::string says) {
        config_.notes.push_back({line, std::move(key), std::move(says)});
    }
    [[noreturn]] void fail(std::size_t line, const std::string& key, std::string expected) const {
        throw InputError::at_line(file_, line, key, std::move(expected));
    }

    /// A server, or what is usual of servers.
    struct Server {
        Backend backend = {};
        std::string left_out = {};  ///< why it takes no requests; empty: it does
    };

    void server(const Line& line) {
        if (line.words.size() < 3) fail(line.number, "server", "expected a name and an address");
        Server one = options_of(line, 3);
        Backend& backend = one.backend;
        std::string& left_out = one.left_out;
        backend.name = line.words[1];
        if (const auto same = std::find_if(config_.backends.begin(), config_.backends.end(),
                                           [&](const Backend& other) { return other.name == backend.name; });
            same != config_.backends.end())
            fail(line.number, "server",
                 fmt::format("expected another name than '{}', that of line {}", backend.name, same->line));
        if (left_out.empty() && backend.weight.sign() == 0) left_out = "of weight 0";
        if (!left_out.empty())
            note(line.number, backend.name, fmt::format("it is {}, so it is left out", left_out));
        else
            config_.backends.push_back(std::move(backend));
    }

    /// From a word on.
    Server options_of(const Line& line, std::size_t from) {
        Server one = usual_;
        one.backend.line = line.number;
        for (std::size_t i = from; i < line.words.size(); ++i) {
            const std::string& word = line.words[i];
            if (word == "weight") {
                const auto weight =
                    i + 1 < line.words.size() ? base::parse_numeral<std::uint32_t>(line.words[++i]) : std::nullopt;
                if (!weight || *weight > 256) fail(line.number, "weight", "expected an integer from 0 to 256");
                one.backend.weight = Rational(static_cast<std::int64_t>(*weight));
            } else if (word == "backup" || word == "disabled") {
                one.left_out = word;
            } else if (word == "no-backup" || word == "enabled") {
                one.left_out.clear();
            } else if (word == "maxconn" || word == "maxqueue" || word == "slowstart" || word == "agent-check" ||
                       word == "track") {
                note(line.number, word, "the rule has no such limit, and weights that do not change");
            } else if (is_one_of(with_argument, word)) {
                ++i;
            }
        }
        return one;
    }

    void require_alike(std::size_t line, const std::string& algorithm) const {
        if (!are_alike(config_.backends))
            fail(line, "balance",
                 fmt::format("expected servers of one weight with {}: the policy language has no draw by weights",
                             algorithm));
    }

    void rule() {
        const std::size_t line = balance_ ? balance_->number : section_.line;
        // Without one, it is roundrobin.
        std::string algorithm = balance_ && balance_->words.size() > 1 ? balance_->words[1] : std::string("roundrobin");
        std::string argument;
        if (const std::size_t open = algorithm.find('('); open != std::string::npos && algorithm.ends_with(')')) {
            argument = algorithm.substr(open + 1, algorithm.size() - open - 2);
            algorithm.resize(open);
        }
        if (algorithm == "leastconn") {
            config_.rule = least_connections();
            note(line, "leastconn",
                 are_alike(config_.backends) ? "servers with as few connections take turns; here one is drawn"
                                             : "connections and one more over the weight, idle servers first, as "
                                               "HAProxy 2.4 to 3.2 count; older "
                                               "ones leave out the one more; equals take turns, and here one is drawn");
        } else if (algorithm == "roundrobin" || algorithm == "static-rr") {
            require_alike(line, algorithm);
            config_.rule = {.zoo = "random", .values = "", .route = "", .summary = ""};
            note(line, algorithm, "servers take turns; here one is drawn, with the same shares");
        } else if (algorithm == "random") {
            require_alike(line, algorithm);
            draws(line, argument.empty() ? "2" : argument);
        } else if (is_one_of(by_hash, algorithm)) {
            require_alike(line, algorithm);
            config_.rule = {.zoo = "home", .values = "", .route = "", .summary = "", .homes = true};
        } else {
            std::vector<std::string_view> known{"leastconn", "roundrobin", "static-rr", "random"};
            known.insert(known.end(), by_hash.begin(), by_hash.end());
            fail(line, "balance",
                 fmt::format("expected an algorithm that the policy language can say, not {}{}", algorithm,
                             base::did_you_mean(algorithm, known)));
        }
    }

    [[nodiscard]] RouterRule least_connections() const {
        if (are_alike(config_.backends))
            return {.zoo = "",
                    .values = "",
                    .route = "argmin(servers, server_length)",
                    .summary = "join the server with the fewest connections"};
        return {.zoo = "",
                .values = "",
                .route =
                    "first_of(where(servers, server_length < tasks(1)), argmin(servers, (server_length + tasks(1)) / "
                    "rate))",
                .summary = "join an idle server, else that of the fewest connections for its weight, which is its rate",
                .homes = false,
                .weighted = true};
    }

    void draws(std::size_t line, const std::string& argument) {
        const auto count = base::parse_numeral<std::uint32_t>(argument);
        if (!count || *count < 1 || *count > queueing::language::most_draws)
            fail(line, "balance", "expected from 1 to 16 draws, not random(" + argument + ")");
        config_.rule = {.zoo = "",
                        .values = "",
                        .route = fmt::format("argmin(draws({}, servers), server_length)", *count),
                        .summary = fmt::format("join the shortest of {} draws, which may be the same", *count)};
    }

    const std::string& file_;
    Section section_;
    RouterConfig config_;
    std::optional<Line> balance_;
    Server usual_;
};

/// Every backend, with what the defaults that it takes say of the choice of servers first: those that it names, or the
/// last before it.
std::vector<Section> backends_of(std::string_view text, const std::string& file) {
    std::vector<Section> all, defaults{{"", 0}};
    std::vector<Line>* open = nullptr;  // of the section, where its lines matter
    std::size_t number = 0;
    for (const std::string_view line : base::split(text, '\n')) {
        ++number;
        Words words = quoted_words(line);
        if (words.empty()) continue;
        if (!is_one_of(sections, words[0])) {
            const bool in_defaults = open == &defaults.back().lines;
            if (open != nullptr &&
                (!in_defaults || words[0] == "balance" || words[0] == "default-server" || chooses(words)))
                open->push_back({number, std::move(words)});
            continue;
        }
        const bool is_defaults = words[0] == "defaults", is_backend = words[0] == "backend" || words[0] == "listen";
        open = nullptr;
        if (!is_defaults && (!is_backend || words.size() < 2)) continue;
        const auto from = std::find(words.begin() + 1, words.end(), "from");
        std::vector<Line> taken = is_defaults ? std::vector<Line>() : defaults.back().lines;
        if (from != words.end()) {
            const auto named = std::find_if(defaults.begin(), defaults.end(), [&](const Section& one) {
                return from + 1 != words.end() && !one.name.empty() && one.name == *(from + 1);
            });
            if (named == defaults.end())
                throw InputError::at_line(file, number, "from", "expected the name of defaults that stand before");
            taken = named->lines;
        }
        std::vector<Section>& into = is_defaults ? defaults : all;
        into.push_back({words.size() > 1 && words[1] != "from" ? words[1] : std::string(), number, std::move(taken)});
        open = &into.back().lines;
    }
    return all;
}

}  // namespace

RouterConfig read_haproxy(std::string_view text, const std::string& file, const std::string& name) {
    std::vector<Section> all = backends_of(text, file);
    if (all.empty()) throw InputError::in_file(file, "expected a backend");
    std::vector<std::string> names;
    for (const Section& section : all) names.push_back(section.name);
    return HaproxyBackend(file, std::move(all[place_of_name(names, name)])).run();
}

}  // namespace schedproof::input
