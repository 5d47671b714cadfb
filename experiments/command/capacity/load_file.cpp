#include "experiments/command/capacity/load_file.hpp"

#include "experiments/command/core/state_json.hpp"
#include "proofs/certifier/certificate_codec.hpp"

namespace schedproof::cli {

namespace {

constexpr const char* fraction = "^-?[0-9]+(/[0-9]+)?$";

struct Part {
    std::string type, server, amount;
};

std::vector<Part> decomposition(const LoadFile& file) {
    std::vector<Part> parts;
    for (const capacity::Assignment& a : file.certificate.decomposition)
        parts.push_back({file.instance.type(a.type).name, file.instance.server(a.server).name, a.amount.to_string()});
    return parts;
}

using Prices = std::vector<std::pair<std::string, std::string>>;

Prices prices(const auto& things, const std::vector<Rational>& price) {
    Prices all;
    for (std::size_t i = 0; i < things.size(); ++i) all.emplace_back(things[i].name, price[i].to_string());
    return all;
}

}  // namespace

const Answer<LoadFile>& load_file() {
    using F = LoadFile;
    const Record<Part> part{
        field("type", &Part::type, "Name of the task type."), field("server", &Part::server, "Name of the server."),
        field("amount", &Part::amount, "How much of the type's arrivals.").pattern(fraction).unit("tasks a slot")};
    static const Answer<F> file{
        "capacity-certificate",
        "Proof of lower <= rho* <= upper: the file that `schedproof capacity --certificate FILE` writes and --verify "
        "FILE "
        "checks by multiplication and comparison. Exact numbers are p or p/q in lowest terms.",
        Record<F>{
            instance_field([](const F& f) { return f.instance.name(); }),
            field(
                "instance_digest", [](const F& f) { return certify::digest_of(f.instance); },
                "SHA-256 of the instance, as `schedproof show INSTANCE --as json` writes it.")
                .pattern("^[0-9a-f]{64}$"),
            field(
                "lower", [](const F& f) { return f.certificate.lower.to_string(); },
                "Value of the prices: sum of arrival rate times type price.")
                .pattern(fraction)
                .unit("fraction of a server's time"),
            field(
                "upper", [](const F& f) { return f.certificate.upper.to_string(); },
                "Largest load of a server under the decomposition.")
                .pattern(fraction)
                .unit("fraction of a server's time"),
            field("decomposition", decomposition,
                  "How the arrivals are split among the servers; ascending by type and server in the order of the "
                  "instance, amounts above 0, adding up to each type's arrival rate.",
                  part),
            field(
                "type_price", [](const F& f) { return prices(f.instance.data().types, f.certificate.type_price); },
                "Price of a task of each type: times any server's rate for it, at most that server's price.")
                .items(1)
                .pattern(fraction)
                .unit("as server_price, times slots per task"),
            field(
                "server_price",
                [](const F& f) { return prices(f.instance.data().servers, f.certificate.server_price); },
                "Price of a slot of each server; not negative, sum 1.")
                .items(1)
                .pattern(fraction)
                .unit("fraction of the price of all servers' slots")},
        false};
    return file;
}

}  // namespace schedproof::cli
