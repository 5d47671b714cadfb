/// Traces of requests to servers that keep data: when each came, what it may share with others, and how long it takes
/// where that is kept and where it is not.
///
/// Requests of one key find their data at the same servers. Which column is the key, and what the times are, depends on
/// the format:
///   - `mooncake`: JSON, a request a line, with `timestamp` (ms), `input_length`, `output_length` (tokens) and
///     `hash_ids`, one for each block of 512 tokens of the prompt; equal ids stand for equal beginnings up to there.
///     Blocks with which every request begins are kept everywhere. The key is the first block, or blocks, after these.
///     A hit saves the blocks that an earlier request of the trace begins with, too.
///   - `azure`: CSV `TIMESTAMP,ContextTokens,GeneratedTokens`. Nothing says what requests share: no request has a key.
///   - `lora`: CSV of image generation, with `gmt_create`, `predict_status`, `exec_time_seconds`, and as the key
///     `checkpoint_model_version_id`; only requests that succeeded.
///   - `swim`: jobs with an input path, which is the key (swim_reader.hpp); a block is a second of work.
///   - `swf`: jobs of a parallel machine; the executable is the key (swf_reader.hpp), the run time the size.
///   - `csv`: columns `time,key,size`, in seconds.
/// Reading is strict: times ascend, no column or field is unknown. A key that stands once is dropped, for its request
/// shares nothing.
/// Sources: github.com/kvcache-ai/Mooncake, FAST25-release/traces; github.com/Azure/AzurePublicDataset; the trace of
/// 2026 of github.com/alibaba/clusterdata.
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedproof::input {

struct TracedRequest {
    double time = 0;       ///< from the first request on. Unit: second
    std::string key = {};  ///< empty: it shares nothing with another
    double hit = 0;        ///< on a server that keeps its data; without a key, anywhere. Unit: second of a server
    double miss = 0;       ///< on any other, at least `hit`. Unit: second of a server
    double tokens = 0;     ///< of its prompt, where the format has them
    double saved = 0;      ///< of these, not computed again at a hit
    friend bool operator==(const TracedRequest&, const TracedRequest&) = default;
};

enum class RequestFormat { mooncake, azure, lora, swim, swf, csv };

/// What a trace does not say.
struct RequestCosts {
    // Of formats with tokens. Unit: second
    double fixed = 0.05;          ///< of every request
    double prefill = 1.0 / 16e3;  ///< of a token of the prompt that has to be computed
    double decode = 1.0 / 1e3;    ///< of a token of the answer
    // Of the others, whose times are those of a hit.
    double factor = 2;  ///< by which a miss takes longer
    double extra = 0;   ///< and then by so much. Unit: second
    // Of `mooncake`.
    std::uint32_t block = 512;              ///< tokens of a block
    std::uint32_t depth = 1;                ///< blocks of a key
    std::optional<std::uint32_t> common{};  ///< blocks that are kept everywhere; none: those that all requests share
};

struct RequestTrace {
    std::vector<TracedRequest> requests;  ///< ascending by time
    std::vector<std::string> notes;       ///< a sentence for each thing that was assumed or passed over
};

/// Longest trace that is taken. Unit: request
inline constexpr std::size_t max_requests = 5'000'000;

/// By the extension of the file: .jsonl, .tsv, .swf, .csv; none for another.
[[nodiscard]] std::optional<RequestFormat> request_format(std::string_view path);

/// All requests. Throws InputError with file, line and column or field, and for a trace of no request.
[[nodiscard]] RequestTrace read_requests(std::istream& in, const std::string& file, RequestFormat format,
                                         const RequestCosts& costs);

}  // namespace schedproof::input
