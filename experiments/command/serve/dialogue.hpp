/// What a program asks `schedproof serve`, and what it is answered: one line of JSON each.
///
/// A question holds texts and not files, so that none can have a file read or written that the command line does not
/// name. It is decoded strictly: a key that is not known, or that the kind of question does not use, is an error.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/command/core/answer_fields.hpp"
#include "model/queueing/instance.hpp"

namespace schedproof::cli {

enum class Ask : std::uint8_t {
    capacity,        ///< the load of an instance
    stable,          ///< whether it is stable under a policy
    every_cluster,   ///< whether every cluster with so many levels and a load below 1 is
    mean,            ///< an exact interval of the mean number of tasks
    counterexample,  ///< a claim of the project's on an instance
    hunt,            ///< a small cluster on which it is transient
    simulate,        ///< sampled means, and growth from two starts
};

/// Texts of policies and instances, as they came.
struct Question {
    std::string id;          ///< repeated in the answer; may be empty
    std::optional<Ask> ask;  ///< none while it is not known
    std::string policy;      ///< a text in the language, or the name of a registered policy
    std::string values;      ///< of its parameters: `NAME=VALUE,...`
    std::string instance;    ///< a text, or the name of an instance of the command line
    std::string claim, oracle;
    std::uint64_t levels = 2;
    std::uint64_t digits = 3;
    std::uint64_t slots = 100'000, replications = 10, seed = 1;
    bool certificate = false;  ///< whether its text is part of the answer
    std::uint64_t seconds = 0, megabytes = 0,
                  cells = 0;  ///< limits; 0: those of the command line, and no limit of cells
};

/// Of a sampled mean, at 95 % confidence.
struct Sampled {
    std::string quantity, unit;
    std::optional<double> mean, half_width;
};

struct Reply {
    std::string id, ask, verdict;
    std::string says;  ///< the theorem, what was seen, or why there is no verdict
    std::string by;    ///< argument or oracle; may be empty
    std::vector<std::string> why_not = {};
    std::optional<Rational> load = {}, lower = {}, upper = {};
    std::vector<Sampled> sampled = {};
    std::string instance = {};     ///< what a hunt found, as TOML; or empty
    std::string certificate = {};  ///< its text, or empty
};

/// The instances of the command line.
using Clusters = std::vector<std::shared_ptr<const queueing::Instance>>;

/// The word that a program writes.
[[nodiscard]] std::string_view to_string(Ask ask);
/// Throws InputError, with key and nearest word; what was read by then stays, so that an answer can repeat it.
void read_question(std::string_view line, Question& into);
/// Throws InputError when it means nothing, LimitExceeded. To be called in a process of its own: the policy is added to
/// those that are registered.
[[nodiscard]] Reply reply_to(const Question& question, const Clusters& clusters);
/// One line.
[[nodiscard]] std::string written(const Reply& reply);
[[nodiscard]] const Answer<Reply>& serve_reply();

}  // namespace schedproof::cli
