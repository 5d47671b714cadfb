/// Simulated flow times of redundancy policies: a table, JSON, a line per job, and a picture of their distribution.
///
/// A run ends when every job is done, so there are no batches and no warm-up. The interval of a mean is Student's t on
/// the means of the replications, which are independent, while flow times within a run are not; quantiles are those of
/// all jobs of all replications together. In each replication every policy meets the same jobs. Lines of `--flowtimes`
/// are written as the runs end, for they may be many.
#include <fmt/core.h>

#include <numeric>

#include "experiments/command/core/json.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/simulate/redundancy/redundancy.hpp"
#include "experiments/command/simulate/redundancy/setting.hpp"
#include "experiments/figures/plot.hpp"
#include "experiments/statistics/sample.hpp"
#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"
#include "policies/core/definition.hpp"

namespace schedproof::cli {

namespace {

using statistics::Estimate;
using statistics::Sample;

/// What was seen of one policy, over all replications.
struct Row {
    std::vector<double> flowtimes;
    std::vector<double> means;  // by replication that had jobs
    std::uint64_t events = 0;
    double active = 0;  // sum over replications
};

/// The lines of `--flowtimes`, written as they come: they may be many.
class JobTable {
  public:
    explicit JobTable(const std::string& path) {
        if (path.empty()) return;
        file_.emplace(path);
        file_->stream() << "policy,replication,job,arrival,size,flowtime\n";
    }
    void add(const std::string& policy, std::uint64_t replication, const redundancy::Jobs<Real>& jobs,
             const simulation::Run& run) {
        if (!file_) return;
        for (std::size_t j = 0; j < jobs.size(); ++j)
            file_->stream() << fmt::format("{},{},{},{},{},{}\n", policy, replication, j, jobs[j].arrival.value(),
                                           jobs[j].size.value(), run.flowtime[j]);
    }
    void finish() {
        if (!file_) return;
        file_->close();
        file_->commit();
    }

  private:
    std::optional<base::OutputFile> file_;
};

std::vector<Row> run_all(const RedundancySetting& setting, std::uint64_t first, std::uint64_t replications,
                         JobTable& table) {
    Progress progress("simulate");
    std::vector<Row> rows(setting.contenders().size());
    for (std::uint64_t done_before = 0; done_before < replications; ++done_before) {
        const std::uint64_t r = first + done_before;
        const auto jobs = setting.jobs(r);
        for (std::size_t c = 0; c < rows.size(); ++c) {
            const Contender& contender = setting.contenders()[c];
            const auto before = static_cast<double>(jobs.size() * (done_before * rows.size() + c));
            const auto all = static_cast<double>(jobs.size() * replications * rows.size());
            const simulation::Run run = setting.run(contender, jobs, r, [&](std::size_t done) {
                progress.report("jobs", before + static_cast<double>(done), all);
            });
            table.add(contender.name, r, jobs, run);
            Row& row = rows[c];
            row.flowtimes.insert(row.flowtimes.end(), run.flowtime.begin(), run.flowtime.end());
            row.events += run.events;
            row.active += run.active;
            if (!run.flowtime.empty())
                row.means.push_back(std::accumulate(run.flowtime.begin(), run.flowtime.end(), 0.0) /
                                    static_cast<double>(run.flowtime.size()));
        }
    }
    if (rows.front().means.size() < replications)
        throw InputError::at_key("--horizon", "expected a horizon within which jobs arrive, in each replication");
    return rows;
}

std::string table_of(const RedundancySetting& setting, const std::vector<Row>& rows,
                     const std::vector<Sample>& samples) {
    std::string text = fmt::format("jobs      {}\nmachines  {}\n\n", setting.workload_line(), setting.machines_line());
    std::size_t width = 6;
    for (const Contender& contender : setting.contenders()) width = std::max(width, contender.name.size());
    text +=
        fmt::format("{:<{}}  {:>21} {:>10} {:>10} {:>10} {:>11} {:>9} {:>9} {:>10}\n", "policy", width, "mean flowtime",
                    "median", "95%", "99%", "largest", fmt::format("in {:g}", setting.within()), "active", "events");
    for (std::size_t c = 0; c < rows.size(); ++c) {
        const Estimate mean = statistics::estimate(rows[c].means, setting.confidence());
        const Sample& sample = samples[c];
        text += fmt::format("{:<{}}  {:>21} {:>10.2f} {:>10.2f} {:>10.2f} {:>11.2f} {:>8.2f}% {:>9.2f} {:>10}\n",
                            setting.contenders()[c].name, width,
                            mean.half_width ? fmt::format("{:.2f} +- {:.2f}", mean.mean, *mean.half_width)
                                            : fmt::format("{:.2f}", mean.mean),
                            sample.quantile(0.5), sample.quantile(0.95), sample.quantile(0.99), sample.quantile(1),
                            100 * sample.share_within(setting.within()),
                            rows[c].active / static_cast<double>(rows[c].means.size()), rows[c].events);
    }
    if (rows.front().means.size() > 1)
        text += fmt::format("\n+- is the Student-t interval of the replications' means, confidence {:g}\n",
                            setting.confidence());
    return text;
}

Json answer_of(const RedundancySimulation& request, const RedundancySetting& setting, const std::vector<Row>& rows,
               const std::vector<Sample>& samples) {
    Json list = Json::array();
    for (std::size_t c = 0; c < rows.size(); ++c) {
        const Contender& contender = setting.contenders()[c];
        const Estimate mean = statistics::estimate(rows[c].means, setting.confidence());
        const Sample& sample = samples[c];
        Json quantiles = Json::array();
        for (const double p : {0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0})
            quantiles.push_back({{"part", p}, {"flowtime", sample.quantile(p)}});
        list.push_back({{"policy", contender.policy},
                        {"definition", definition(contender.algorithm)},
                        {"beta", number(contender.beta)},
                        {"jobs", sample.size()},
                        {"mean", mean.mean},
                        {"half_width", mean.half_width},
                        {"means", rows[c].means},
                        {"quantiles", quantiles},
                        {"within", sample.share_within(setting.within())},
                        {"active", rows[c].active / static_cast<double>(rows[c].means.size())},
                        {"events", rows[c].events}});
    }
    return {{"workload", setting.workload_line()},
            {"machines", setting.machines()},
            {"model", setting.model()},
            {"in_slots", setting.in_slots()},
            {"speed", setting.speed()},
            {"seed", request.seed},
            {"replications", request.replications},
            {"confidence", setting.confidence()},
            {"within", setting.within()},
            {"policies", list}};
}

std::string picture_of(const RedundancySetting& setting, const std::vector<Sample>& samples, const std::string& path) {
    constexpr std::size_t points = 400;
    figures::Panel panel;
    panel.x_label = setting.in_slots() ? "flowtime (slots)" : "flowtime";
    panel.y_label = "part of the jobs";
    panel.logarithmic_x = true;
    panel.y = figures::Range{0, 1};
    for (std::size_t c = 0; c < samples.size(); ++c) {
        figures::Curve curve{setting.contenders()[c].name, {}, figures::Style::steps};
        for (const auto& [x, y] : samples[c].distribution(points)) curve.points.push_back({x, y});
        panel.curves.push_back(std::move(curve));
    }
    return figures::draw({fmt::format("{} machines, {}", setting.machines(), setting.model()), {panel}},
                         figures::picture_kind(path));
}

}  // namespace

int run(const RedundancySimulation& request) {
    if (!request.instance.empty()) return run_instance(request);
    if (!request.cdf.empty()) static_cast<void>(figures::picture_kind(request.cdf));
    if (!request.flowtimes.empty() && !request.flowtimes.ends_with(".csv"))
        throw InputError::in_file(request.flowtimes, "--flowtimes", "expected a name that ends in .csv");
    require_writable({request.flowtimes, request.cdf, request.to.path});
    const RedundancySetting setting(request);
    JobTable table(request.flowtimes);
    std::vector<Row> rows = run_all(setting, request.first, request.replications, table);
    std::vector<Sample> samples;
    for (Row& row : rows) samples.emplace_back(std::move(row.flowtimes));
    if (!request.cdf.empty()) base::write_file(request.cdf, picture_of(setting, samples, request.cdf));
    table.finish();
    return write_answer(request.to, "flowtime", answer_of(request, setting, rows, samples),
                        table_of(setting, rows, samples));
}

}  // namespace schedproof::cli
