#include "proofs/certifier/queueing/load_certificate.hpp"

#include <fmt/core.h>

#include <unordered_map>
#include <vector>

#include "model/base/text.hpp"
#include "proofs/certifier/certificate_codec.hpp"
#include "proofs/certifier/strict_cursor.hpp"

namespace schedproof::certify {

namespace {

using capacity::CapacityCertificate;
using queueing::Instance;

/// Positions of servers or types by name.
struct Names {
    const char* what;
    std::unordered_map<std::string, std::size_t> index;

    template <class Things>
    Names(const char* of, const Things& things) : what(of) {
        for (std::size_t i = 0; i < things.size(); ++i) index.emplace(things[i].name, i);
    }
    /// `at` is the place of the name, for the message.
    [[nodiscard]] std::size_t of(std::string_view name, const StrictCursor& at) const {
        const auto found = index.find(std::string(name));
        if (found == index.end()) at.fail(fmt::format("expected a {} of the instance", what));
        return found->second;
    }
};

/// People write these files too, so a number need not be in lowest terms.
Rational read_any_number(const StrictCursor& at) {
    const auto parsed = Rational::parse(at.text(), Rational::max_result_digits);
    if (!parsed) at.fail(parsed.error());
    return *parsed;
}

/// One price per name, every name once.
std::vector<Rational> read_prices(const StrictCursor& at, const Names& names) {
    std::vector<Rational> price(names.index.size());
    std::size_t count = 0;
    at.each_member([&](std::string_view name, const StrictCursor& value) {
        price[names.of(name, value)] = read_any_number(value);
        ++count;
    });
    if (count != price.size()) at.fail(fmt::format("expected one price for each {}", names.what));
    return price;
}

}  // namespace

CapacityCertificate read_load(const base::Node& root, const std::string& file, const Instance& instance) {
    const StrictCursor at(root, file);
    at.members(
        {"schema", "instance", "instance_digest", "lower", "upper", "decomposition", "type_price", "server_price"},
        {"version"});
    if (at.member("schema").text() != "capacity-certificate")
        at.member("schema").fail("expected \"capacity-certificate\"");
    if (at.member("instance").text() != instance.name())
        at.member("instance").fail(fmt::format("expected '{}', the instance it is checked against", instance.name()));
    if (const std::string digest = digest_of(instance); at.member("instance_digest").text() != digest)
        at.member("instance_digest")
            .fail(fmt::format("expected {}, that of the instance it is checked against", digest));
    const Names types("task type", instance.data().types), servers("server", instance.data().servers);
    CapacityCertificate certificate;
    certificate.lower = read_any_number(at.member("lower"));
    certificate.upper = read_any_number(at.member("upper"));
    certificate.type_price = read_prices(at.member("type_price"), types);
    certificate.server_price = read_prices(at.member("server_price"), servers);
    const StrictCursor decomposition = at.member("decomposition");
    for (std::size_t i = 0; i < decomposition.size(); ++i) {
        const StrictCursor entry = decomposition.item(i);
        entry.members({"type", "server", "amount"});
        const StrictCursor type = entry.member("type"), server = entry.member("server");
        const TaskTypeId t(types.of(type.text(), type));
        const ServerId m(servers.of(server.text(), server));
        Rational amount = read_any_number(entry.member("amount"));
        certificate.decomposition.push_back({t, m, std::move(amount)});
    }
    return certificate;
}

CapacityCertificate read_load(const std::string& path, const Instance& instance) {
    const std::string text = base::read_text(path, max_certificate_bytes), file = base::display_name(path);
    return read_load(read_document(text, file), file, instance);
}

}  // namespace schedproof::certify
