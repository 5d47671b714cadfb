/// Reading certificates of a load. A file of its own, for the checker of certificates is linked with no solver.
#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/core/errors.hpp"
#include "proofs/certifier/certificate_file.hpp"

namespace schedproof::command {

namespace {

using namespace queueing;
using capacity::CapacityCertificate;
using nlohmann::json;

/// Reads members of one JSON file, with errors that name file and key.
class Reader {
  public:
    Reader(std::string file, const json& root) : file_(std::move(file)), root_(root) {}

    [[noreturn]] void wrong(const std::string& key, const std::string& expected) const {
        throw InputError({file_, 0, key}, expected);
    }

    [[nodiscard]] const json& member(const json& object, const std::string& name, const std::string& key) const {
        if (!object.is_object() || !object.contains(name)) wrong(key, "expected this member");
        return object[name];
    }
    [[nodiscard]] const json& member(const std::string& name) const { return member(root_, name, name); }
    /// Refuses members other than these.
    void only(const json& object, std::initializer_list<std::string_view> names, const std::string& prefix) const {
        for (const auto& [name, value] : object.items())
            if (std::find(names.begin(), names.end(), name) == names.end())
                wrong(prefix + name, "expected no such member");
    }
    [[nodiscard]] std::string text(const json& value, const std::string& key) const {
        if (!value.is_string()) wrong(key, "expected a string");
        return value.get<std::string>();
    }
    [[nodiscard]] Rational number(const json& value, const std::string& key) const {
        const auto parsed = Rational::parse(text(value, key), Rational::max_result_digits);
        if (!parsed) wrong(key, parsed.error());
        return *parsed;
    }

  private:
    std::string file_;
    const json& root_;
};

/// JSON in which no object names a member twice: the library would silently keep the last. A discarded value when the
/// text is no JSON.
json parse_strictly(const std::string& text, const std::string& file) {
    std::vector<std::set<std::string>> members;
    return json::parse(
        text,
        [&](int, json::parse_event_t event, json& value) {
            if (event == json::parse_event_t::object_start) members.emplace_back();
            if (event == json::parse_event_t::object_end) members.pop_back();
            if (event == json::parse_event_t::key && !members.back().insert(value.get<std::string>()).second)
                throw InputError({file, 0, value.get<std::string>()}, "expected this member once");
            return true;
        },
        false);
}

template <class Things>
std::unordered_map<std::string, std::size_t> index_names(const Things& things) {
    std::unordered_map<std::string, std::size_t> index;
    for (std::size_t i = 0; i < things.size(); ++i) index.emplace(things[i].name, i);
    return index;
}

std::size_t known(const Reader& reader, const std::unordered_map<std::string, std::size_t>& index,
                  const std::string& name, const std::string& key, const char* kind) {
    const auto found = index.find(name);
    if (found == index.end()) reader.wrong(key, fmt::format("expected a {} of the instance, not '{}'", kind, name));
    return found->second;
}

/// One price per name, every name once.
std::vector<Rational> prices(const Reader& reader, const std::unordered_map<std::string, std::size_t>& index,
                             const std::string& member, const char* kind) {
    std::vector<Rational> price(index.size());
    const json& object = reader.member(member);
    if (!object.is_object() || object.size() != index.size())
        reader.wrong(member, fmt::format("expected one price for each {}", kind));
    for (const auto& [name, value] : object.items()) {
        const std::string key = member + "." + name;
        price[known(reader, index, name, key, kind)] = reader.number(value, key);
    }
    return price;
}

}  // namespace

CapacityCertificate parse_certificate(const std::string& text, const std::string& file, const Instance& instance) {
    const json root = parse_strictly(text, file);
    const Reader reader(file, root);
    if (!root.is_object()) reader.wrong("", "expected a JSON object: a capacity certificate");
    if (reader.text(reader.member("schema"), "schema") != "capacity-certificate")
        reader.wrong("schema", "expected 'capacity-certificate'");
    if (const std::string name = reader.text(reader.member("instance"), "instance"); name != instance.name())
        reader.wrong("instance",
                     fmt::format("expected '{}', the instance it is checked against, not '{}'", instance.name(), name));
    const auto types = index_names(instance.data().types), servers = index_names(instance.data().servers);
    CapacityCertificate certificate;
    reader.only(root,
                {"schema", "version", "instance", "lower", "upper", "decomposition", "type_price", "server_price"}, "");
    certificate.lower = reader.number(reader.member("lower"), "lower");
    certificate.upper = reader.number(reader.member("upper"), "upper");
    certificate.type_price = prices(reader, types, "type_price", "task type");
    certificate.server_price = prices(reader, servers, "server_price", "server");
    const json& decomposition = reader.member("decomposition");
    if (!decomposition.is_array()) reader.wrong("decomposition", "expected a list");
    for (std::size_t i = 0; i < decomposition.size(); ++i) {
        const std::string key = fmt::format("decomposition[{}]", i);
        reader.only(decomposition[i], {"type", "server", "amount"}, key + ".");
        const std::string type = reader.text(reader.member(decomposition[i], "type", key + ".type"), key + ".type");
        const std::string server =
            reader.text(reader.member(decomposition[i], "server", key + ".server"), key + ".server");
        certificate.decomposition.push_back(
            {TaskTypeId(known(reader, types, type, key + ".type", "task type")),
             ServerId(known(reader, servers, server, key + ".server", "server")),
             reader.number(reader.member(decomposition[i], "amount", key + ".amount"), key + ".amount")});
    }
    return certificate;
}

}  // namespace schedproof::command
