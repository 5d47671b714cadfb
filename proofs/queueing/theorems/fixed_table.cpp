#include "proofs/queueing/theorems/fixed_table.hpp"

#include <fmt/core.h>

namespace schedproof::queueing {

namespace {

constexpr std::string_view heading = "schedproof table 1\n";

__extension__ typedef unsigned __int128 Bits;

/// Seven bits to a byte, the lowest first; a set highest bit says that more follow.
void append(std::string& bytes, Bits value) {
    for (; value >= 128; value >>= 7U) bytes += static_cast<char>(static_cast<unsigned char>(value & 127U) | 128U);
    bytes += static_cast<char>(value);
}

/// Small differences of either sign as small numbers: 0, -1, 1, -2, ...
Bits folded(Fixed value) { return value < 0 ? ~(static_cast<Bits>(value) << 1U) : static_cast<Bits>(value) << 1U; }
Fixed unfolded(Bits value) {
    const auto half = static_cast<Fixed>(value >> 1U);
    return (value & 1U) != 0 ? -half - 1 : half;
}

class TableReader {
  public:
    TableReader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

    [[noreturn]] void fail(const std::string& expected) const { throw InputError::in_file(file_, expected); }
    void heading_line() {
        if (!bytes_.starts_with(heading)) fail("expected a table, which begins with the line 'schedproof table 1'");
        at_ = heading.size();
    }
    Bits number() {
        Bits value = 0;
        for (unsigned shift = 0;; shift += 7) {
            if (at_ == bytes_.size()) fail("expected more entries: the table ends early");
            const auto byte = static_cast<unsigned char>(bytes_[at_++]);
            const Bits part = byte & 127U;
            if (shift > 126 || (shift == 126 && part > 3)) fail("expected an entry of at most 128 bits");
            value |= part << shift;
            if (byte < 128) {
                if (byte == 0 && shift > 0) fail("expected an entry in as few bytes as it takes");
                return value;
            }
        }
    }
    std::vector<Fixed> entries(std::uint64_t states) {
        std::vector<Fixed> all;
        Fixed last = 0;
        for (std::uint64_t i = 0; i < states; ++i) {
            if (__builtin_add_overflow(last, unfolded(number()), &last)) fail("expected entries of at most 128 bits");
            all.push_back(last);
        }
        return all;
    }
    void end() const {
        if (at_ != bytes_.size()) fail("expected the end of the table");
    }

  private:
    std::string_view bytes_;
    const std::string& file_;
    std::size_t at_ = 0;
};

}  // namespace

void detail::throw_too_wide() {
    throw LimitExceeded(
        "127 bits", "a number of the table's inequalities; shorter fractions in the instance or fewer digits lower it");
}

Fixed fixed(const Rational& value, const char* what) {
    if (!value.is_integer())
        throw InputError::at_key("scale", fmt::format("expected a scale at which {} is an integer", what));
    const Integer integer = value.numerator();
    if (msb(abs(integer) + 1) > 125) throw LimitExceeded("127 bits", what);
    const Integer magnitude = abs(integer);
    const auto low = static_cast<std::uint64_t>(magnitude & ~std::uint64_t{0});
    const auto high = static_cast<std::uint64_t>(magnitude >> 64U);
    const auto result = static_cast<Fixed>((static_cast<Bits>(high) << 64U) | low);
    return integer < 0 ? -result : result;
}

Rational rational(Fixed value) {
    const Bits magnitude = value < 0 ? -static_cast<Bits>(value) : static_cast<Bits>(value);
    Integer integer(static_cast<std::uint64_t>(magnitude >> 64U));
    integer <<= 64U;
    integer += static_cast<std::uint64_t>(magnitude);
    return value < 0 ? Rational(Integer(-integer)) : Rational(integer);
}

std::string to_bytes(const std::vector<const std::vector<Fixed>*>& columns) {
    require(!columns.empty(), "a table has a column");
    std::string bytes(heading);
    append(bytes, columns.front()->size());
    for (const std::vector<Fixed>* entries : columns) {
        require(entries->size() == columns.front()->size(), "columns of one length");
        Fixed last = 0;
        for (const Fixed entry : *entries) {
            append(bytes, folded(entry - last));
            last = entry;
        }
    }
    return bytes;
}

std::vector<std::vector<Fixed>> read_columns(std::string_view bytes, const std::string& file, std::size_t columns) {
    TableReader reader(bytes, file);
    reader.heading_line();
    const Bits rows = reader.number();
    // Every entry takes a byte at least.
    if (rows > bytes.size()) reader.fail("expected as many entries as it says");
    std::vector<std::vector<Fixed>> all;
    for (std::size_t c = 0; c < columns; ++c) all.push_back(reader.entries(static_cast<std::uint64_t>(rows)));
    reader.end();
    return all;
}

}  // namespace schedproof::queueing
