#include "tests/support/trees/assignment.hpp"

#include <array>

namespace schedproof::assignment::trees {

namespace {

rc::Gen<std::int64_t> small(int from, int to) {
    return rc::gen::map(rc::gen::resize(rc::kNominalSize, rc::gen::inRange(from, to)),
                        [](int n) { return std::int64_t{n}; });
}

std::string text(const Delay& d) {
    std::string constant = std::to_string(d.halves) + " half", price = "g(r + " + std::to_string(d.further) + ")";
    switch (d.kind) {
        case Delay::Kind::never:
            return "std::nullopt";
        case Delay::Kind::constant:
            return constant;
        case Delay::Kind::price:
            return price;
        case Delay::Kind::larger:
            return "max(" + constant + ", " + price + ")";
        case Delay::Kind::smaller:
            return "min(" + constant + ", " + price + ")";
        default:
            return constant + " + " + price;
    }
}

}  // namespace

rc::Gen<DelayTree> delay_trees() {
    const auto delay = rc::gen::build<Delay>(
        rc::gen::set(&Delay::kind, rc::gen::element(Delay::Kind::constant, Delay::Kind::price, Delay::Kind::larger,
                                                    Delay::Kind::smaller, Delay::Kind::sum, Delay::Kind::never)),
        rc::gen::set(&Delay::halves, small(0, 7)), rc::gen::set(&Delay::further, small(1, 3)));
    return rc::gen::build<DelayTree>(
        rc::gen::set(&DelayTree::delays, rc::gen::resize(4, rc::gen::container<std::vector<Delay>>(delay))),
        rc::gen::set(&DelayTree::jobs, rc::gen::element(JobOrder::fifo, JobOrder::fair)),
        rc::gen::set(&DelayTree::wait_from, rc::gen::element(WaitFrom::idle, WaitFrom::last_start)));
}
rc::Gen<PlaceTree> place_trees() {
    using Tasks = PlaceTree::Tasks;
    using Cores = PlaceTree::Cores;
    using Key = PlaceTree::Key;
    return rc::gen::build<PlaceTree>(
        rc::gen::set(&PlaceTree::tasks,
                     rc::gen::element(Tasks::by_id, Tasks::last_first, Tasks::fewest_replicas_first)),
        rc::gen::set(&PlaceTree::cores, rc::gen::element(Cores::all, Cores::local, Cores::idle_or_local)),
        rc::gen::set(&PlaceTree::key, rc::gen::element(Key::initial, Key::load, Key::finish, Key::number_of_tasks)),
        rc::gen::set(&PlaceTree::last_of_ties),
        rc::gen::set(&PlaceTree::forgets_one, rc::gen::weightedElement<bool>({{9, false}, {1, true}})));
}

std::ostream& operator<<(std::ostream& out, const DelayTree& tree) {
    out << "ScheduleResult<N> schedule(const Problem<N>& problem, R& randomness) const {\n"
        << "    const N half = problem.time(Rational(1) / Rational(2));\n"
        << "    const auto rule = [&](std::size_t r, const CostFunction<N>& g) -> std::optional<N> {\n";
    for (std::size_t r = 0; r < tree.delays.size(); ++r)
        out << "        " << (r + 1 < tree.delays.size() ? "if (r == " + std::to_string(r) + ") " : "") << "return "
            << text(tree.delays[r]) << ";\n";
    if (tree.delays.empty()) out << "        return N(0);\n";
    return out << "    };\n    return run_online(problem, rule, Unscheduled(*problem.shape, Pick::lowest, JobOrder::"
               << (tree.jobs == JobOrder::fifo ? "fifo" : "fair")
               << ", randomness), WaitFrom::" << (tree.wait_from == WaitFrom::idle ? "idle" : "last_start")
               << ");\n}\n";
}
std::ostream& operator<<(std::ostream& out, const PlaceTree& tree) {
    constexpr std::array<const char*, 3> orders{"by id", "the last first", "those of fewest replicas first"};
    constexpr std::array<const char*, 3> cores{"local cores", "all cores", "local cores and those without a task"};
    constexpr std::array<const char*, 4> keys{"initial load", "load", "predicted finish", "number of tasks"};
    return out << "// tasks " << orders[static_cast<std::size_t>(tree.tasks)] << ", each to the "
               << (tree.last_of_ties ? "last" : "first") << " of the " << cores[static_cast<std::size_t>(tree.cores)]
               << " of least " << keys[static_cast<std::size_t>(tree.key)]
               << (tree.forgets_one ? "; the last task is forgotten" : "")
               << "\nreturn PlaceTreePolicy{{PlaceTree::Tasks(" << static_cast<int>(tree.tasks)
               << "), PlaceTree::Cores(" << static_cast<int>(tree.cores) << "), PlaceTree::Key("
               << static_cast<int>(tree.key) << "), " << tree.last_of_ties << ", " << tree.forgets_one
               << "}}.schedule(problem);\n";
}

}  // namespace schedproof::assignment::trees
