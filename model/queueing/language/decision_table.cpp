/// Letters of a decision table by place: lists of natural numbers of bounded sum in lexicographic order.
///
/// Of the lists of k numbers whose sum is at most r there are binomial(r + k, k). Before the list x_1, ..., x_k stand
/// those that agree with it up to x_{i-1} and have less than x_i there, for each i.
#include "model/queueing/language/decision_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "model/base/numeral.hpp"
#include "model/base/split.hpp"
#include "model/core/errors.hpp"

namespace schedproof::queueing::language {

namespace {

constexpr std::string_view letters_of_queues = "0123456789abcdefghijklmnopqrstuvwxyz";
constexpr char none = '.';

InputError wrong(const std::string& expected) { return InputError::at_key("tabulated", expected); }

/// Lists of so many numbers whose sum is at most `sum`, or more than a table may have letters.
std::size_t lists(std::uint32_t numbers, std::uint32_t sum) {
    std::size_t count = 1;
    // binomial(sum + i, i) = binomial(sum + i - 1, i - 1) (sum + i) / i
    for (std::size_t i = 1; i <= numbers && count <= DecisionTable::most_letters; ++i) count = count * (sum + i) / i;
    return std::min(count, DecisionTable::most_letters + 1);
}

std::size_t rank(std::span<const std::uint32_t> list, std::uint32_t sum) {
    std::size_t before = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto after = static_cast<std::uint32_t>(list.size() - i - 1);
        require(list[i] <= sum, "numbers of tasks within a decision table");
        for (std::uint32_t less = 0; less < list[i]; ++less) before += lists(after, sum - less);
        sum -= list[i];
    }
    return before;
}

std::deque<DecisionTable>& all_kept() {
    static std::deque<DecisionTable> tables;
    return tables;
}

}  // namespace

DecisionTable::DecisionTable(std::uint32_t most, std::uint32_t servers, std::uint32_t queues)
    : most_(most), servers_(servers), queues_(queues) {
    if (most > most_waiting || servers < 1 || servers > most_servers || queues < 1 || queues > most_queues)
        throw wrong(fmt::format("expected at most {} tasks that wait, 1 to {} servers and 1 to {} queues", most_waiting,
                                most_servers, most_queues));
    word_ = lists(queues, most);
    const std::size_t words = lists(queues, servers - 1) * servers;
    if (word_ > most_letters || words > most_letters || word_ * words > most_letters)
        throw wrong(
            fmt::format("expected a table of at most {} letters: with {} servers and {} queues, of fewer than "
                        "{} tasks that wait",
                        most_letters, servers, queues, std::max(most, 1U)));
    letters_.assign(word_ * words, none);
}

DecisionTable DecisionTable::read(std::string_view text) {
    const std::vector<std::string_view> words = base::split_words(text);
    std::vector<std::uint32_t> sizes;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, words.size()); ++i)
        if (const auto size = base::parse_numeral<std::uint32_t>(words[i])) sizes.push_back(*size);
    if (sizes.size() < 3) throw wrong("expected numbers of waiting tasks, of servers and of queues before the words");
    DecisionTable table(sizes[0], sizes[1], sizes[2]);
    std::string letters;
    for (std::size_t i = 3; i < words.size(); ++i) {
        if (words[i].size() != table.word_)
            throw wrong(
                fmt::format("expected words of {} letters, not of {} as word {}", table.word_, words[i].size(), i - 2));
        letters += words[i];
    }
    if (letters.size() != table.letters_.size())
        throw wrong(fmt::format("expected {} words, not {}", table.letters_.size() / table.word_,
                                letters.size() / table.word_));
    for (const char letter : letters)
        if (letter != none && letters_of_queues.substr(0, table.queues_).find(letter) == std::string_view::npos)
            throw wrong(fmt::format("expected the number of a queue, 0 to {}, or '{}', not '{}'",
                                    letters_of_queues[table.queues_ - 1], none, letter));
    table.letters_ = std::move(letters);
    return table;
}

std::int64_t DecisionTable::kept(std::string_view text) {
    DecisionTable table = read(text);
    auto& tables = all_kept();
    const auto same = std::find_if(tables.begin(), tables.end(),
                                   [&](const DecisionTable& other) { return other.text() == table.text(); });
    const auto number = same - tables.begin();
    if (same == tables.end()) tables.push_back(std::move(table));
    return number;
}

const DecisionTable& DecisionTable::numbered(std::int64_t number) {
    return all_kept().at(static_cast<std::size_t>(number));
}

std::string DecisionTable::text() const {
    std::string text = fmt::format("{} {} {}", most_, servers_, queues_);
    for (std::size_t at = 0; at < letters_.size(); at += word_) text += " " + letters_.substr(at, word_);
    return text;
}

void DecisionTable::require_fits(std::size_t servers, std::size_t queues,
                                 const std::function<bool(ServerId, QueueId)>& serves) const {
    if (servers != servers_ || queues != queues_)
        throw wrong(
            fmt::format("expected a cluster of {} servers and {} queues, of which the table is, not of {} and {}",
                        servers_, queues_, servers, queues));
    for (std::size_t at = 0; at < letters_.size(); ++at) {
        const std::size_t queue = letters_of_queues.find(letters_[at]), server = at / word_ % servers_;
        if (queue != std::string_view::npos && !serves(ServerId(server), QueueId(queue)))
            throw wrong(
                fmt::format("expected queues that servers can serve: server {} cannot serve queue {}", server, queue));
    }
}

std::size_t DecisionTable::place(ServerId server, std::span<const std::uint32_t> executing,
                                 std::span<const std::uint32_t> waiting) const {
    require(executing.size() == queues_ && waiting.size() == queues_ && server.index() < servers_,
            "one number per queue of a decision table, and a server of it");
    return (rank(executing, servers_ - 1) * servers_ + server.index()) * word_ + rank(waiting, most_);
}

std::optional<QueueId> DecisionTable::named(ServerId server, std::span<const std::uint32_t> executing,
                                            std::span<const std::uint32_t> waiting) const {
    const std::size_t queue = letters_of_queues.find(letters_[place(server, executing, waiting)]);
    if (queue == std::string_view::npos) return {};
    return QueueId(queue);
}

void DecisionTable::name(ServerId server, std::span<const std::uint32_t> executing,
                         std::span<const std::uint32_t> waiting, std::optional<QueueId> queue) {
    require(!queue || queue->index() < queues_, "a queue of the decision table");
    letters_[place(server, executing, waiting)] = queue ? letters_of_queues[queue->index()] : none;
}

}  // namespace schedproof::queueing::language
