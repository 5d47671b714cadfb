#include "experiments/simulators/redundancy/mean_service.hpp"

#include "model/redundancy/schedule.hpp"
#include "model/redundancy/speedup.hpp"

namespace schedproof::simulation {

namespace {

using redundancy::AnyPolicy;
using redundancy::LinearSpeedup;
using redundancy::Problem;

class Flowtimes : public redundancy::Observer<Real> {
  public:
    Flowtimes(const redundancy::Jobs<Real>& jobs, const Progress& progress) : jobs_(jobs), progress_(progress) {
        run_.flowtime.resize(jobs.size());
    }

    void arrived(const Real&, JobId, const auto&) { ++run_.events; }
    void passes(const Real&, const Real& length, const auto& schedule) {
        integral_ += length.value() * static_cast<double>(schedule.active().size());
    }
    void completed(const Real& now, JobId job, const auto&) {
        run_.flowtime[job.index()] = (now - jobs_[job.index()].arrival).value();
        ++run_.events;
        last_ = now.value();
        if (++done_ % 1024 == 0 && progress_) progress_(done_);
    }

    [[nodiscard]] Run take() {
        if (const double length = jobs_.empty() ? 0 : last_ - jobs_.front().arrival.value(); length > 0)
            run_.active = integral_ / length;
        return std::move(run_);
    }

  private:
    const redundancy::Jobs<Real>& jobs_;
    const Progress& progress_;
    Run run_;
    double integral_ = 0, last_ = 0;
    std::size_t done_ = 0;
};

}  // namespace

Run run_on_mean_service(const AnyPolicy& policy, const Problem<Real>& problem, const Rational& speed,
                        const Progress& progress) {
    redundancy::AnySchedule<Real> schedule(policy, problem.machines,
                                           LinearSpeedup<Real>(problem.service, problem.machines, speed));
    Flowtimes watch(problem.jobs, progress);
    redundancy::run(schedule, problem.jobs, watch);
    return watch.take();
}

}  // namespace schedproof::simulation
