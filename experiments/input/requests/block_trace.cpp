/// Two passes: all prompts first, since which blocks all of them begin with is known at the end only.
///
/// A block's id stands for the whole beginning of the prompt up to it, so a block was seen before exactly if an earlier
/// prompt begins alike up to there, and the seen blocks of a prompt come first.
#include "experiments/input/requests/block_trace.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "experiments/input/text/line_reader.hpp"
#include "model/base/cursor.hpp"
#include "model/base/document.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input::detail {

namespace {

struct Prompt {
    double time = 0;
    std::uint64_t tokens = 0, answer = 0;
    std::vector<std::uint64_t> blocks;
    std::size_t line = 0;
};

Prompt parse_prompt(std::string_view line, const std::string& file, std::uint32_t block) {
    constexpr std::uint64_t most = 1'000'000'000;
    const base::Node document = base::parse_document(line, base::Format::json, file);
    const base::Cursor root(document, file);
    root.expect_table("a request");
    root.allow_only({"timestamp", "input_length", "output_length", "hash_ids"});
    const auto number = [&](std::string_view key, std::string_view form) {
        return root.require(key, form).count(0, key == "timestamp" ? std::uint64_t{1} << 53U : most, form);
    };
    Prompt prompt{static_cast<double>(number("timestamp", "a time in milliseconds")) / 1e3,
                  number("input_length", "a number of tokens"), number("output_length", "a number of tokens"),
                  root.require("hash_ids", "a list of ids").counts("a list of ids")};
    if (const std::uint64_t blocks = (prompt.tokens + block - 1) / block; prompt.blocks.size() != blocks)
        root.require("hash_ids", "")
            .fail(fmt::format("expected {} ids, one for each {} tokens of the prompt, not {}", blocks, block,
                              prompt.blocks.size()));
    return prompt;
}

std::vector<Prompt> read_prompts(std::istream& in, const std::string& file, std::uint32_t block) {
    std::vector<Prompt> prompts;
    LineReader lines(in, file);
    while (auto line = lines.next()) {
        if (base::trimmed(*line).empty()) continue;
        if (!lines.ended())
            throw InputError::at_line(file, lines.line(),
                                      "the last line has no newline; if the file is complete, add one");
        if (prompts.size() == max_requests)
            throw InputError::at_line(file, lines.line(), fmt::format("expected at most {} requests", max_requests));
        try {
            prompts.push_back(parse_prompt(*line, file, block));
        } catch (const InputError& error) {  // whose document is a line
            throw InputError::at_line(file, lines.line(), error.place().key, error.expected());
        }
        prompts.back().line = lines.line();
    }
    return prompts;
}

/// Blocks with which all prompts begin.
std::size_t shared_by_all(const std::vector<Prompt>& prompts) {
    std::size_t shared = prompts.size() < 2 ? 0 : prompts.front().blocks.size();
    for (const Prompt& prompt : prompts) {
        const std::size_t most = std::min(shared, prompt.blocks.size());
        const auto first = prompts.front().blocks.begin();
        shared = static_cast<std::size_t>(
            std::mismatch(first, first + static_cast<std::ptrdiff_t>(most), prompt.blocks.begin()).first - first);
    }
    return shared;
}

/// Empty where the prompt is too short.
std::string key_of(const Prompt& prompt, std::size_t common, std::size_t depth) {
    std::string key;
    if (prompt.blocks.size() < common + depth) return key;
    for (std::size_t i = common; i < common + depth; ++i)
        key += fmt::format("{}{}", key.empty() ? "" : "-", prompt.blocks[i]);
    return key;
}

}  // namespace

void read_blocks(std::istream& in, const std::string& file, const RequestCosts& costs, RequestCollector& into) {
    const std::vector<Prompt> prompts = read_prompts(in, file, costs.block);
    const std::size_t common = costs.common.value_or(static_cast<std::uint32_t>(shared_by_all(prompts)));
    std::unordered_set<std::uint64_t> seen;
    for (const Prompt& prompt : prompts) {
        const auto first_new = std::find_if(prompt.blocks.begin(), prompt.blocks.end(),
                                            [&](std::uint64_t id) { return seen.count(id) == 0; });
        const auto tokens = static_cast<double>(prompt.tokens);
        const auto of_blocks = [&](std::size_t blocks) {
            return std::min(tokens, static_cast<double>(blocks) * static_cast<double>(costs.block));
        };
        const double everywhere = of_blocks(common);
        const double at_home =
            std::max(everywhere, of_blocks(static_cast<std::size_t>(first_new - prompt.blocks.begin())));
        const auto seconds = [&](double computed) {
            return costs.fixed + costs.prefill * computed + costs.decode * static_cast<double>(prompt.answer);
        };
        into.add({prompt.time, key_of(prompt, common, costs.depth), seconds(tokens - at_home),
                  seconds(tokens - everywhere), tokens, at_home - everywhere},
                 prompt.line);
        seen.insert(prompt.blocks.begin(), prompt.blocks.end());
    }
    if (common > 0)
        into.note(fmt::format("every server keeps the first {} of a prompt",
                              common == 1 ? "block" : fmt::format("{} blocks", common)));
}

}  // namespace schedproof::input::detail
