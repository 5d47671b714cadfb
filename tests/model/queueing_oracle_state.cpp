#include <algorithm>
#include <ostream>

#include "model/core/errors.hpp"
#include "tests/model/queueing_oracle_rules.hpp"

namespace schedproof::oracle {

using queueing::Tracking;

OracleState empty_state(const queueing::Instance& instance, const QueueShape& shape) {
    OracleState state;
    state.length.assign(shape.tracking.size(), 0);
    state.servers.resize(instance.data().servers.size());
    if (std::count(shape.tracking.begin(), shape.tracking.end(), Tracking::listed) > 0)
        state.waiting.resize(shape.tracking.size());
    state.memory.resize(shape.memory);
    return state;
}

bool consistent(const QueueShape& shape, const OracleState& state) {
    const std::size_t queues = shape.tracking.size();
    if (state.length.size() != queues || state.memory.size() != shape.memory) return false;
    if (!state.waiting.empty() && state.waiting.size() != queues) return false;
    Counts unserved = state.length;
    for (std::size_t m = 0; m < state.servers.size(); ++m) {
        const OracleServer& server = state.servers[m];
        if (server.status == Status::idle) {
            if (server != OracleServer{}) return false;
            continue;
        }
        if (server.queue >= queues || !shape.serves[server.queue].at(m)) return false;
        if (shape.tracking[server.queue] == Tracking::counted && server.level != shape.level[server.queue][m])
            return false;
        if (server.status == Status::busy) --unserved[server.queue];
    }
    for (std::size_t q = 0; q < queues; ++q) {
        const bool listed = shape.tracking[q] == Tracking::listed;
        if (unserved[q] < 0 || (listed && state.waiting.empty())) return false;
        if (!state.waiting.empty() && state.waiting[q].size() != (listed ? static_cast<std::size_t>(unserved[q]) : 0))
            return false;
    }
    return true;
}

OracleState from_state(const queueing::State<CheckedInt>& state) {
    OracleState result;
    for (const CheckedInt& n : state.length) result.length.push_back(n.value());
    for (const queueing::Service& s : state.serving) {
        using enum queueing::Service::Status;
        const Status status = s.status == idle ? Status::idle : s.status == busy ? Status::busy : Status::phantom;
        result.servers.push_back({status, s.level.index(), s.queue.index()});
    }
    for (const auto& line : state.waiting) {
        result.waiting.emplace_back();
        for (const TaskTypeId type : line) result.waiting.back().push_back(type.index());
    }
    for (const CheckedInt& n : state.memory) result.memory.emplace_back(n.value());
    return result;
}

queueing::State<CheckedInt> to_state(const OracleState& state) {
    queueing::State<CheckedInt> result;
    for (const long long n : state.length) result.length.push_back(CheckedInt(n));
    for (const OracleServer& s : state.servers) {
        using enum queueing::Service::Status;
        const auto status = s.status == Status::idle ? idle : s.status == Status::busy ? busy : phantom;
        result.serving.push_back({status, Level(s.level), QueueId(s.queue)});
    }
    for (const Indices& line : state.waiting) {
        result.waiting.emplace_back();
        for (const std::size_t type : line) result.waiting.back().emplace_back(type);
    }
    for (const Rational& n : state.memory) {
        require(n.is_integer() && mpz_fits_slong_p(mpq_numref(n.gmp())) != 0,
                "a counter of a state is a 64-bit integer");
        result.memory.emplace_back(std::int64_t{mpz_get_si(mpq_numref(n.gmp()))});
    }
    return result;
}

std::ostream& operator<<(std::ostream& out, const OracleState& state) {
    out << "Q = (";
    for (const long long n : state.length) out << ' ' << n;
    out << " ), f = (";
    for (const OracleServer& s : state.servers) {
        if (s.status == Status::idle)
            out << " idle";
        else
            out << (s.status == Status::busy ? " q" : " phantom:q") << s.queue << '@' << s.level;
    }
    out << " )";
    for (std::size_t q = 0; q < state.waiting.size(); ++q) {
        if (state.waiting[q].empty()) continue;
        out << ", q" << q << " lists (";
        for (const std::size_t type : state.waiting[q]) out << ' ' << type;
        out << " )";
    }
    for (const Rational& n : state.memory) out << ", D " << n;
    return out;
}

}  // namespace schedproof::oracle
