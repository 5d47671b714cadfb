/// Tar archives: see tar.hpp for the format.
///
/// No library that is linked here writes tar, and a header of 512 bytes per file is all there is to it: numbers in
/// octal digits, then a checksum over the header in which the checksum's own field counts as blanks. Contents are
/// padded with zeros to blocks of 512 bytes, and two blocks of zeros end the archive.
#include "checks/umb/tar.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <ostream>

#include "model/core/errors.hpp"

namespace schedproof::graph {

namespace {

constexpr std::size_t block = 512;
constexpr std::size_t longest_member_name = 100;

using Header = std::array<char, block>;

void put_field(Header& header, std::size_t at, std::string_view text) {
    std::copy(text.begin(), text.end(), header.begin() + static_cast<std::ptrdiff_t>(at));
}

Header header_of(const std::string& name, std::size_t size) {
    Header header{};
    put_field(header, 0, name);
    put_field(header, 100, "0000644");  // mode
    put_field(header, 108, "0000000");  // owner
    put_field(header, 116, "0000000");  // group
    put_field(header, 124, fmt::format("{:011o}", size));
    put_field(header, 136, "00000000000");  // time
    put_field(header, 148, "        ");     // checksum, as it counts itself
    header[156] = '0';                      // a regular file
    put_field(header, 257, "ustar");
    put_field(header, 263, "00");
    put_field(header, 329, "0000000");  // device, of no meaning here
    put_field(header, 337, "0000000");
    unsigned sum = 0;
    for (const char c : header) sum += static_cast<unsigned char>(c);
    put_field(header, 148, fmt::format("{:06o}", sum));
    header[154] = '\0';
    return header;
}

void put_zeros(std::ostream& out, std::size_t count) {
    for (; count > 0; --count) out.put('\0');
}

}  // namespace

void TarWriter::add(const std::string& name, std::string_view bytes) {
    if (name.empty() || name.size() > longest_member_name)
        throw ContractViolation(
            fmt::format("a name in a tar archive has 1 to {} bytes, not '{}'", longest_member_name, name));
    if (bytes.size() >= std::size_t{1} << 33)
        throw LimitExceeded("8 GiB for a file in a tar archive", fmt::format("{} has {} bytes", name, bytes.size()));
    const Header header = header_of(name, bytes.size());
    out_.write(header.data(), static_cast<std::streamsize>(header.size()));
    out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    put_zeros(out_, (block - bytes.size() % block) % block);
}

void TarWriter::close() { put_zeros(out_, 2 * block); }

}  // namespace schedproof::graph
