#include <nlohmann/json.hpp>

#include "model/base/answer.hpp"
#include "proofs/certifier/queueing/load_certificate.hpp"

namespace schedproof::certify {

void write_load(const std::string& path, const queueing::Instance& instance,
                const capacity::CapacityCertificate& certificate) {
    using nlohmann::ordered_json;
    ordered_json decomposition = ordered_json::array(), types = ordered_json::object(),
                 servers = ordered_json::object();
    for (const capacity::Assignment& a : certificate.decomposition)
        decomposition.push_back({{"type", instance.type(a.type).name},
                                 {"server", instance.server(a.server).name},
                                 {"amount", a.amount.to_string()}});
    for (const TaskTypeId t : instance.types())
        types[instance.type(t).name] = certificate.type_price[t.index()].to_string();
    for (const ServerId m : instance.servers())
        servers[instance.server(m).name] = certificate.server_price[m.index()].to_string();
    base::write_json(path, "capacity-certificate",
                     {{"instance", instance.name()},
                      {"lower", certificate.lower.to_string()},
                      {"upper", certificate.upper.to_string()},
                      {"decomposition", decomposition},
                      {"type_price", types},
                      {"server_price", servers}});
}

}  // namespace schedproof::certify
