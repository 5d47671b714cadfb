#include "experiments/command/report/packed.hpp"

#include <zlib.h>

#include <array>

#include "model/core/errors.hpp"

namespace schedproof::cli::site {

namespace {

/// zlib's number for a gzip header around the greatest window.
constexpr int gzip_window = 15 + 16;

std::string gzipped(std::string_view text) {
    z_stream stream{};
    if (::deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        throw Error("cannot begin to compress");
    std::string source(text);
    std::string out(::deflateBound(&stream, source.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(source.data());
    stream.avail_in = static_cast<uInt>(source.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int end = ::deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    ::deflateEnd(&stream);
    if (end != Z_STREAM_END) throw Error("cannot compress");
    return out;
}

}  // namespace

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : digits[group >> (18 - 6 * k) & 63U];
    }
    return out;
}

std::string packed(std::string_view text) { return base64(gzipped(text)); }

}  // namespace schedproof::cli::site
