#include "model/assignment/shape.hpp"

#include <algorithm>

#include "model/core/errors.hpp"

namespace schedproof::assignment {

Shape::Shape(const std::vector<std::uint32_t>& cores, Replicas replicas, std::vector<JobId> jobs)
    : replicas_(std::move(replicas)), jobs_(std::move(jobs)) {
    const auto fail = [](const char* list, std::size_t i, const char* expected) {
        throw InputError::at_path({list, i}, expected);
    };
    first_core_.reserve(cores.size() + 1);
    for (std::size_t s = 0; s < cores.size(); ++s) {
        if (cores[s] == 0) fail("servers", s, "expected at least one core");
        server_of_.insert(server_of_.end(), cores[s], ServerId(s));
        (void)CoreId(server_of_.size());  // ids of cores fit 32 bits
        first_core_.push_back(static_cast<std::uint32_t>(server_of_.size()));
    }
    std::vector<std::size_t> seen(cores.size(), 0);  // one more than the last task that named the server
    for (const TaskId t : tasks()) {
        if (this->replicas(t).empty()) fail("tasks", t.index(), "expected at least one replica");
        for (const ServerId s : this->replicas(t)) {
            if (s.index() >= cores.size()) fail("tasks", t.index(), "expected replicas on known servers");
            if (seen[s.index()] == t.index() + 1)
                fail("tasks", t.index(), "expected each server once among the replicas");
            seen[s.index()] = t.index() + 1;
        }
    }
    if (!jobs_.empty() && jobs_.size() != tasks().size())
        throw InputError::at_path({"jobs"}, "expected the job of every task");
    for (std::size_t t = 0; t < jobs_.size(); ++t) {
        const std::size_t before = t == 0 ? 0 : jobs_[t - 1].index();
        if (jobs_[t].index() < before || jobs_[t].index() > before + (t == 0 ? 0 : 1))
            fail("jobs", t, "expected jobs in ascending order from 0, none left out");
    }
}

bool Shape::is_local(TaskId t, ServerId s) const {
    const auto holders = replicas(t);
    return std::find(holders.begin(), holders.end(), s) != holders.end();
}

}  // namespace schedproof::assignment
